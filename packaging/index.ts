import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeStream } from '../cli/output/format';
import { installManifests } from '../lib/install';
import { monitoringFiles } from '../lib/install/monitoring/files';
import { chartFiles } from './chart';
import { kustomizeFiles } from './kustomize';
import { docsOfMembers } from './props-docs';

/** Writes what installs the operator into a folder: for kubectl, Helm and kustomize, all from the same construct. */
export function writePackaging(folder: string): void {
  const { version }: { readonly version: string } = JSON.parse(readFileSync('package.json', 'utf8'));
  const docs = docsOfMembers(readFileSync('lib/install/props.ts', 'utf8'));
  writeFileSync(join(folder, 'install.yaml'), writeStream(installManifests(), 'yaml'));
  writeFolder(join(folder, 'charts', 'inferno'), chartFiles({ version, docs }));
  writeFolder(join(folder, 'kustomize'), kustomizeFiles());
  writeFolder(join(folder, 'monitoring'), monitoringFiles());
}

/** Writes a folder anew, so that no file stays that is no longer made. */
function writeFolder(folder: string, files: Readonly<Record<string, string>>): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
