// node bench/tasks/render.mjs WAY COUNT: milliseconds that one way of rendering takes, in a process of its own.
import { App, ApiObject, Chart, Yaml } from 'cdk8s';
import { synthesize } from '../../build/lib/authoring.js';
import { InferenceService, inferenceServiceComposition } from '../../build/lib/index.js';
import { services } from '../services.mjs';
import { measured } from './measured.mjs';

const ways = {
  /** The construct, as in a user's app: all services in one chart. */
  construct(resources) {
    const chart = new Chart(new App(), 'services');
    for (const { metadata, spec } of resources) {
      new InferenceService(chart, metadata.name, { metadata, ...spec });
    }
    return chart.toJson();
  },

  /** What the command line and the operator do: an app of its own for each resource. */
  synthesize(resources) {
    return resources.flatMap((resource) => {
      const synthesis = synthesize(inferenceServiceComposition, resource);
      if (!synthesis.valid) throw new Error(JSON.stringify(synthesis.errors));
      return synthesis.manifests;
    });
  },

  /** The whole way to text, through the construct. */
  constructToText: (resources) => toText(ways.construct(resources)),

  /** The whole way to text, through synthesize(). */
  synthesizeToText: (resources) => toText(ways.synthesize(resources)),

  /** The same objects given to cdk8s as they are: what cdk8s itself costs, without validation and rendering. */
  apiObjects(objects) {
    const chart = new Chart(new App(), 'services');
    for (const [index, object] of objects.entries()) new ApiObject(chart, `object-${index}`, object);
    return chart.toJson();
  },

  /** Only the validation. */
  validate(resources) {
    return resources.map((resource) => {
      const admission = inferenceServiceComposition.schema.admit(resource);
      if (!admission.valid) throw new Error(JSON.stringify(admission.errors));
      return admission.resource;
    });
  },

  /** Only the writing: of objects that were rendered before. */
  text: (objects) => toText(objects),
};

function toText(objects) {
  return Yaml.stringify(...objects);
}

const [way, countText] = process.argv.slice(2);
const count = Number(countText);
let input = services(count);
if (way === 'text' || way === 'apiObjects') input = structuredClone(ways.synthesize(input));
measured(() => ({ size: ways[way](input).length }));
