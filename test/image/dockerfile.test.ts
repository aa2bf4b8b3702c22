import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { imageConfig, imageFiles } from '../../tools/image';
import { devDependencies, license, version } from '../../package.json';

/** The instructions of each stage, as the builder joins lines. */
const stages = readFileSync('Dockerfile', 'utf8')
  .replaceAll(/^\s*#.*\n/gm, '')
  .replaceAll(/\s*\\\n\s*/g, ' ')
  .split(/^(?=FROM )/m)
  .map((stage) => stage.trim().split(/\n+/).filter(Boolean))
  .filter((stage) => stage.length > 0);
const [build, node, last = []] = stages;

const of = (name: string): readonly string[] =>
  last.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));

test('the stages are those that docs/image.md names, on bases that name a release or a line of releases', () => {
  expect(stages.map(([from]) => from)).toEqual([
    `FROM --platform=$BUILDPLATFORM docker.io/library/node:${devDependencies.node}-trixie-slim AS build`,
    `FROM docker.io/library/node:${devDependencies.node}-trixie-slim AS node`,
    'FROM gcr.io/distroless/cc-debian13:nonroot',
  ]);
});

test('only the stage that makes files of no platform runs commands', () => {
  expect(build?.filter((line) => line.startsWith('RUN '))).toHaveLength(2);
  expect(node).toHaveLength(1);
});

test('the last stage copies the files that the tests run, and the licence of Node', () => {
  const copied = of('COPY').flatMap((text) => {
    const [, stage, rest = ''] = /^--from=(\S+) (.+)$/.exec(text) ?? [];
    const [target = '', ...sources] = rest.split(' ').toReversed();
    return sources.map((source) => [
      target.endsWith('/') ? posix.join(target, posix.basename(source)) : target,
      `${stage}:${source}`,
    ]);
  });
  expect(Object.fromEntries(copied)).toEqual({
    ...Object.fromEntries(Object.entries(imageFiles).map(([path, file]) => [path, `build:/src/${file}`])),
    '/nodejs/bin/node': 'node:/usr/local/bin/node',
    '/nodejs/LICENSE': 'node:/usr/local/LICENSE',
  });
});

test('it runs Node itself, as a user who is not root, with the environment of the tests', () => {
  expect(of('ENTRYPOINT').map((text) => JSON.parse(text) as unknown)).toEqual([imageConfig.entrypoint]);
  expect(of('USER')).toEqual([`${imageConfig.user}:${imageConfig.user}`]);
  expect(of('WORKDIR')).toEqual([imageConfig.workingDir]);
  expect(of('ENV').map((text) => text.split(' '))).toEqual([
    Object.entries(imageConfig.env).map(([name, value]) => `${name}=${value}`),
  ]);
});

test('WORKDIR comes after the files, or its folder would belong to the user of the base; there is no RUN', () => {
  expect(last.map((line) => line.split(' ')[0])).toEqual([
    ...['FROM', 'LABEL', 'ENV', 'COPY', 'COPY', 'COPY', 'USER', 'WORKDIR', 'EXPOSE', 'ENTRYPOINT'],
  ]);
});

test('the labels say what package.json says', () => {
  const [labels] = of('LABEL');
  expect(labels).toContain(`image.version="${version}"`);
  expect(labels).toContain(`image.licenses="${license}"`);
  expect(labels).toContain(`image.base.name="${last[0]?.slice('FROM '.length)}"`);
});
