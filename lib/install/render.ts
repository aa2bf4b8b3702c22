import { App, Chart } from 'cdk8s';
import { isManifest } from '../composition/manifest';
import type { Manifest } from '../composition';
import { Inferno } from './inferno';
import type { InfernoProps } from './props';

/**
 * The objects of an {@link Inferno}, as plain JSON and in the order in which they are applied.
 *
 * @throws InvalidInstallationError for a prop that Kubernetes or the operator would refuse
 */
export function installManifests(props: InfernoProps = {}): readonly Manifest[] {
  const chart = new Chart(new App(), 'inferno');
  new Inferno(chart, 'inferno', props);
  return chart.toJson().map((object: unknown) => {
    if (isManifest(object)) return object;
    throw new Error(`the installation has something that is not a Kubernetes object: ${JSON.stringify(object)}`);
  });
}
