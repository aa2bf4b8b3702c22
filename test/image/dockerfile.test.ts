import { readFileSync } from 'node:fs';
import { parseDockerfile, type Stage } from '../../scripts/image/dockerfile.mjs';
import { devDependencies, license, version } from '../../package.json';

const text = readFileSync('Dockerfile', 'utf8');
const stages: readonly Stage[] = parseDockerfile(text);
const last = stages.at(-1);

test('every base has a tag that names a release or a line of releases', () => {
  expect(stages.map(({ base }) => base)).toEqual([
    `docker.io/library/node:${devDependencies.node}-trixie-slim`,
    `docker.io/library/node:${devDependencies.node}-trixie-slim`,
    'gcr.io/distroless/cc-debian13:nonroot',
  ]);
});

test('only the stage that makes files of no platform runs on that of the builder', () => {
  expect(stages.map(({ platform }) => platform)).toEqual(['$BUILDPLATFORM', undefined, undefined]);
  expect(stages.filter(({ runs }) => runs.length > 0).map(({ name }) => name)).toEqual(['build']);
});

test('the labels say what package.json says', () => {
  const labels = Object.fromEntries((last?.labels ?? []).map((label) => [label.name, label.value]));
  expect(labels).toMatchObject({
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.licenses': license,
    'org.opencontainers.image.base.name': last?.base,
  });
});

test('the image runs Node itself as a user who is not root', () => {
  expect(last).toMatchObject({
    user: '65532:65532',
    entrypoint: ['/nodejs/bin/node', '/app/inferno.cjs'],
    command: [],
  });
});

test('WORKDIR comes after the files, or its folder would belong to the user of the base', () => {
  const instructions = text.slice(text.lastIndexOf('\nFROM')).matchAll(/^[A-Z]+/gm);
  const names = [...instructions].map(([name]) => name);
  expect(names.indexOf('WORKDIR')).toBeGreaterThan(names.lastIndexOf('COPY'));
});

test('continued lines, comments and quotes are read as the builder reads them', () => {
  const dockerfile =
    'FROM a:1 AS b\n# no\nENV A=1 \\\n    # nor this\n    B="2 3"\n\nFROM c:2\nCOPY --from=b /x /y/\nEXPOSE 1 2/udp\n';
  expect(parseDockerfile(dockerfile)).toMatchObject([
    {
      name: 'b',
      base: 'a:1',
      env: [
        { name: 'A', value: '1' },
        { name: 'B', value: '2 3' },
      ],
    },
    { name: undefined, base: 'c:2', copies: [{ from: 'b', sources: ['/x'], target: '/y/' }], ports: ['1', '2/udp'] },
  ]);
});

test.each([
  ['', 'Dockerfile: has no FROM'],
  ['# syntax=docker/dockerfile:1\nFROM a', 'Dockerfile:1: parser directives are not known here'],
  ['FROM a\nARG B', 'Dockerfile:2: ARG is not known here, only FROM, COPY'],
  ['FROM a\nADD b c', 'Dockerfile:2: ADD is not known here'],
  ['FROM a\nENV', 'Dockerfile:2: is not an instruction: ENV'],
  ['FROM a\nconstructor b', 'Dockerfile:2: constructor is not known here, only FROM, COPY'],
  ['FROM a\ntoString b', 'Dockerfile:2: toString is not known here, only FROM, COPY'],
  ['COPY a b', 'Dockerfile:1: COPY stands before the first FROM'],
  ['FROM a\nRUN <<END', 'Dockerfile:2: heredocs are not known here'],
  ['FROM a AS b\nFROM b', 'Dockerfile:2: FROM: a stage on another one, b'],
  ['FROM a AS b\nFROM c AS b', 'Dockerfile:2: FROM: b is there twice'],
  ['FROM a as b', 'Dockerfile:1: FROM: expected [--platform=P] IMAGE [AS name], got a as b'],
  ['FROM $A', 'Dockerfile:1: FROM: expected'],
  ['FROM a\nCOPY --chown=1 b c', 'Dockerfile:2: COPY: only --from=STAGE is known here, got --chown=1'],
  ['FROM a\nCOPY --from=x b c', 'Dockerfile:2: no earlier stage is called x'],
  ['FROM a\nCOPY *.js c/', 'Dockerfile:2: COPY: patterns, quotes and variables are not known here, got *.js'],
  ['FROM a\nCOPY b', 'Dockerfile:2: COPY: expected SOURCE… TARGET, got b'],
  ['FROM a\nCOPY b c d', 'Dockerfile:2: COPY: the target of several files must end in /, got d'],
  ['FROM a\nENV A $B', 'Dockerfile:2: ENV: expected NAME=VALUE'],
  ['FROM a\nENV A=$B', 'Dockerfile:2: ENV: expected NAME=VALUE or NAME="VALUE" without variables, got A=$B'],
  ['FROM a\nENV A=1 A=2', 'Dockerfile:2: A is set twice'],
  ['FROM a\nUSER nonroot', 'Dockerfile:2: USER: expected a numeric UID:GID, got nonroot'],
  ['FROM a\nWORKDIR app', 'Dockerfile:2: WORKDIR: expected an absolute path, got app'],
  ['FROM a\nEXPOSE http', 'Dockerfile:2: EXPOSE: expected a port, got http'],
  ['FROM a\nENTRYPOINT node', 'Dockerfile:2: ENTRYPOINT: expected a JSON list of strings'],
  ['FROM a\nCMD []', 'Dockerfile:2: CMD: expected a JSON list of strings'],
  ['FROM a\nRUN b \\', 'Dockerfile:2: ends in a backslash'],
])('%j is refused', (dockerfile, message) => {
  expect(() => parseDockerfile(dockerfile)).toThrow(message);
});
