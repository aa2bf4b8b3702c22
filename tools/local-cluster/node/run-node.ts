// What the process of a node runs. Its options are in the file that it is given.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentOptions, NodeAgent } from './agent';
import { Log } from './log';
import { createRuntime, PodVolumes, resolveCommand, resolveEnv, type RuntimePrograms, takesUsers } from './runtime';

export interface NodeConfig extends AgentOptions {
  readonly programs: RuntimePrograms;
}

const config = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as NodeConfig;
const log = new Log();
const folder = join(config.folder, 'runtime');
mkdirSync(folder, { recursive: true });
process.on('unhandledRejection', (error) => log.error('unhandled rejection', { error: String(error) }));
if (!takesUsers()) log.info('containers run as uid 0 of the user namespace, whatever their pods say');
const below = {
  runtime: createRuntime(folder, config.programs),
  prepareVolumes: PodVolumes.prepare.bind(PodVolumes),
  resolveEnv,
  resolveCommand,
};
new NodeAgent(config, below, log).run().catch((error: unknown) => {
  log.error('the node ends', { error: error instanceof Error ? error.stack : String(error) });
  process.exit(1);
});
