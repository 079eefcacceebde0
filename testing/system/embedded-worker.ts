import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { nodeArguments } from './node-arguments.ts';

/** The entry of the embedded database's thread: compiled, or a script that runs the source. */
export function embeddedWorker(): URL {
  const entry = nodeArguments('embedded/src/worker.ts').at(-1) ?? '';
  return pathToFileURL(resolve(entry.endsWith('.ts') ? 'embedded/scripts/worker-from-source.mjs' : entry));
}
