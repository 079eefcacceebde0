import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

type InfraEngine = 'redis' | 'kafka';

const script = fileURLToPath(new URL('../../deploy/without-docker/engines/infra.sh', import.meta.url));

/**
 * Redis and Kafka for one experiment alone, which `deploy/without-docker/engines/infra.sh` starts and stops.
 * @param folder of their data and process ids
 */
export function createInfra(folder: string, ports: Record<InfraEngine, number>) {
  const run = async (command: 'up' | 'down', engines: readonly InfraEngine[]) => {
    const env = { ...process.env, REDIS_PORT: String(ports.redis), KAFKA_PORT: String(ports.kafka) };
    await promisify(execFile)('bash', [script, command, '--dir', folder, ...engines], { env });
  };
  const pidFile = (engine: InfraEngine) => join(folder, `${engine}.pid`);
  return {
    /** How services reach them. */
    settings: {
      REDIS_URL: `redis://127.0.0.1:${ports.redis}`,
      KAFKA_BROKERS: `127.0.0.1:${ports.kafka}`,
    },
    /** Starts those that do not run. */
    up: () => run('up', ['redis', 'kafka']),
    /** Without names: both. */
    down: (...engines: InfraEngine[]) => run('down', engines.length > 0 ? engines : ['redis', 'kafka']),
    pidFile,
    pidOf: (engine: InfraEngine) => Number(readFileSync(pidFile(engine), 'utf8')),
  };
}
