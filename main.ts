import { readdirSync, readFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { ApiObject, App, Chart } from 'cdk8s';
import type { ApiObjectProps } from 'cdk8s';
import { parseAllDocuments } from 'yaml';
import type { InferenceServiceResource } from './imports/inference-service';
import { InferenceService } from './lib';
import { writePackaging } from './packaging';

// What `cdk8s synth` runs: each sample of examples/ becomes a file of the same name in dist/samples/, and beside them
// comes what installs the operator.
const outdir = process.env['CDK8S_OUTDIR'] ?? 'dist';
const app = new App({ outdir: join(outdir, 'samples') });
const samples = readdirSync('examples').filter((file) => file.endsWith('.yaml'));

for (const sample of samples.toSorted()) {
  const chart = new Chart(app, parse(sample).name);
  for (const document of parseAllDocuments(readFileSync(join('examples', sample), 'utf8'))) {
    const object: InferenceServiceResource | ApiObjectProps = document.toJS();
    const id = `${object.kind}-${object.metadata?.name}`;
    if (isInferenceService(object)) {
      InferenceService.fromResource(chart, id, object);
    } else {
      new ApiObject(chart, id, object);
    }
  }
}
app.synth();
writePackaging(outdir);

function isInferenceService(object: InferenceServiceResource | ApiObjectProps): object is InferenceServiceResource {
  return object.kind === 'InferenceService';
}
