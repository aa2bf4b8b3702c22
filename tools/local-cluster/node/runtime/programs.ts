import { join } from 'node:path';
import { findPrograms, type FindOptions, singleProgram } from '../../../go/programs';
import { bundleProgram } from '../../bundle';
import type { RuntimePrograms } from './index';

const container = singleProgram('container', join(__dirname, '..', '..', 'modules'));

/**
 * What a runtime needs besides its own code. The process that starts the nodes makes it; a node gets the paths.
 *
 * @param folder where the light server's code is put
 */
export async function runtimePrograms(folder: string, options?: FindOptions): Promise<RuntimePrograms> {
  const light = join(folder, 'light-server.cjs');
  const [path] = await Promise.all([
    containerProgram(options),
    bundleProgram(join(__dirname, 'light-server.ts'), light),
  ]);
  return { container: path, light };
}

/** Path of the program that makes containers, a Go program that is built once and kept outside the repository. */
export async function containerProgram(options?: FindOptions): Promise<string> {
  if (process.platform !== 'linux') {
    throw new Error(
      `The nodes of the test cluster need Linux, whose namespaces are their containers; this is ${process.platform}.`,
    );
  }
  return (await findPrograms(container, ['container'], options)).container;
}
