import { parseOptions } from '@shelfwise/runtime/process/parse-options';
import { type Copies, defaultServicePort, maxCopies, partNames, servicePortCount } from './plan-processes.ts';

export const distributedUsage = `Usage: npm run start:distributed -- [options]

Starts the gateway and every service as processes of their own, in one terminal. Ctrl-C stops all of them.

  --copies <part>=<number>,...   how many of each part, 1 to ${maxCopies}; default 1
                                 parts: ${partNames.join(', ')}; "all" stands for every part
  --infra                        also start Redis, Kafka and a MongoDB-compatible server (npm run infra), and stop them
                                 and delete their data at the end
  --service-port <number>        the services and the assistant server (mcp) listen on this port of 127.0.0.1 and
                                 up to ${servicePortCount} following ones; default ${defaultServicePort}
  --help                         print this

PORT (8080) is the port of the first gateway, METRICS_PORT (off) that of the first process's metrics; further ones follow.
MONGODB_URI, KAFKA_BROKERS and REDIS_URL name the engines; without --infra at least MONGODB_URI is needed.
Every other setting is passed on to each process.`;

export type ParsedDistributedCommand =
  | { kind: 'command'; copies: Copies; hasInfra: boolean; servicePort: number }
  | { kind: 'help' }
  | { kind: 'usage-error'; message: string };

const options = {
  copies: { type: 'string', multiple: true },
  infra: { type: 'boolean' },
  'service-port': { type: 'string', default: String(defaultServicePort) },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Parses the words after `npm run start:distributed --`. */
export function parseDistributedCommand(argv: readonly string[]): ParsedDistributedCommand {
  try {
    const { values } = parseOptions({ args: [...argv], options });
    if (values.help) return { kind: 'help' };
    return {
      kind: 'command',
      copies: parseCopies((values.copies ?? []).join(',')),
      hasInfra: values.infra ?? false,
      servicePort: parseServicePort(values['service-port']),
    };
  } catch (error) {
    // parseOptions and parseCopies throw only Errors with a message for the user.
    return { kind: 'usage-error', message: (error as Error).message };
  }
}

/** @throws Error with a message for the user */
function parseServicePort(text: string): number {
  const last = 65_536 - servicePortCount;
  const port = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(port >= 1 && port <= last)) throw new Error(`--service-port takes a number from 1 to ${last}.`);
  return port;
}

/** @throws Error with a message for the user */
function parseCopies(text: string): Copies {
  const copies: Copies = {};
  for (const entry of text.split(',').filter((one) => one !== '')) {
    const [name = '', number = ''] = entry.split('=');
    const count = /^\d+$/.test(number) ? Number(number) : Number.NaN;
    if (!(count >= 1 && count <= maxCopies))
      throw new Error(`"${entry}" is not <part>=<number> with a number from 1 to ${maxCopies}.`);
    const named = partNames.filter((part) => part === name || name === 'all');
    if (named.length === 0)
      throw new Error(`There is no part "${name}". The parts are ${partNames.join(', ')}.`);
    for (const part of named) copies[part] = count;
  }
  return copies;
}
