import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** As scripts/notices.mjs writes it between two packages. */
const separator = `\n${'-'.repeat(80)}\n\n`;
const node = 'node_modules/node/package.json';

/**
 * A software bill of materials in CycloneDX's JSON: what this project adds to the base image, which are its own files,
 * the packages that are bundled into them, and Node. What the base itself holds stands in its /var/lib/dpkg/status.d,
 * where scanners of images look. The same files give the same bill, so it has no time in it.
 *
 * @param {readonly import('./files.mjs').Entry[]} entries the files of the image
 * @param {string} root the repository
 */
export function billOfMaterials(entries, root) {
  const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));
  const { name, version, license, description } = read('package.json');
  const own = entries.filter(({ image }) => image.startsWith('/app/'));
  const image = {
    'bom-ref': `image:inferno@${version}`,
    ...{ type: 'container', name: 'inferno', version, description, licenses: licenses(license) },
  };
  const program = {
    'bom-ref': `pkg:npm/${name}@${version}`,
    ...{ type: 'application', name, version, purl: `pkg:npm/${name}@${version}`, licenses: licenses(license) },
    components: own.map(digested),
  };
  const packages = bundled(readFileSync(join(root, 'build/bin/NOTICES.txt'), 'utf8'), read('package-lock.json'));
  const runtime = nodeItself(read(node).version);
  const components = [program, runtime, ...packages];
  const content = {
    metadata: { lifecycles: [{ phase: 'build' }], component: image },
    components,
    dependencies: [
      { ref: image['bom-ref'], dependsOn: [program['bom-ref'], runtime['bom-ref']] },
      { ref: program['bom-ref'], dependsOn: packages.map((part) => part['bom-ref']) },
    ],
    // without the base
    compositions: [{ aggregate: 'incomplete', assemblies: [image['bom-ref']] }],
  };
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    ...{
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      serialNumber: `urn:uuid:${uuid(JSON.stringify(content))}`,
      version: 1,
    },
    ...content,
  };
}

/** The packages that the notices name, each once though it may be bundled twice. */
function bundled(notices, { packages: locked }) {
  const found = new Map();
  for (const section of notices.split(separator)) {
    const [head] = section.split('\n', 1);
    const [, name, version, license] = /^((?:@[^\s/]+\/)?[^\s/]+) (\S+) \((.+)\)$/.exec(head) ?? [];
    if (name === undefined) throw new Error(`NOTICES.txt: expected "NAME VERSION (LICENCE)", got ${head}`);
    const entry = Object.entries(locked).find(
      ([path, value]) => path.endsWith(`node_modules/${name}`) && value.version === version,
    );
    if (entry === undefined) throw new Error(`NOTICES.txt: ${name} ${version} is not in package-lock.json`);
    found.set(`${name}@${version}`, library(name, version, license, entry[1].integrity));
  }
  return [...found.values()];
}

function library(name, version, license, integrity) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const [, sha512] = /^sha512-(\S+)$/.exec(integrity ?? '') ?? [];
  return {
    'bom-ref': purl,
    ...{ type: 'library', name, version, scope: 'required', purl },
    // what came inside another package has none of its own
    ...(sha512 === undefined
      ? {}
      : { hashes: [{ alg: 'SHA-512', content: Buffer.from(sha512, 'base64').toString('hex') }] }),
    licenses: licenses(license),
  };
}

/** Not the npm package that brings it: scanners know Node by these names. */
function nodeItself(version) {
  return {
    'bom-ref': `pkg:generic/node@${version}`,
    ...{ type: 'platform', name: 'node', version, purl: `pkg:generic/node@${version}` },
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
    licenses: licenses('MIT'),
  };
}

function digested({ image, file: path }) {
  const content = createHash('sha256').update(readFileSync(path)).digest('hex');
  return { 'bom-ref': `file:${image}`, type: 'file', name: image, hashes: [{ alg: 'SHA-256', content }] };
}

function licenses(license) {
  return [/^[\w.+-]+$/.test(license) ? { license: { id: license } } : { expression: license }];
}

/** A UUID that names a content (RFC 9562, version 8). */
function uuid(content) {
  const hex = createHash('sha256').update(content).digest('hex');
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return parts.join('-');
}
