import { once } from 'node:events';
import { createServer } from 'node:net';
import { StartError } from '@shelfwise/runtime/process/start-error';
import type { PlannedProcess } from './plan-processes.ts';

/**
 * Looks at the ports of all processes before the first one starts.
 * @throws StartError naming every port that another program uses
 */
export async function checkPorts(planned: readonly PlannedProcess[]): Promise<void> {
  const checked = await Promise.all(
    planned.map(async ({ name, settings: { PORT, GRPC_ADDRESS, MCP_ADDRESS, METRICS_PORT } }) => {
      const listening = [GRPC_ADDRESS, MCP_ADDRESS].map((address) => address?.split(':')[1]);
      const ports = [PORT, ...listening, METRICS_PORT].filter((port) => Number(port) > 0);
      const used = await Promise.all(
        ports.map(async (port) => ((await isInUse(Number(port))) ? port : null)),
      );
      return used.flatMap((port) => (port === null ? [] : [`${port} (${name})`]));
    }),
  );
  const inUse = checked.flat();
  if (inUse.length === 0) return;
  const options = 'PORT, METRICS_PORT and --service-port choose others.';
  throw new StartError(`These ports are in use by another program: ${inUse.join(', ')}. ${options}`);
}

/** On loopback, where all processes but the gateways listen. Other problems of a port are reported by its process. */
async function isInUse(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    server.close();
    await once(server, 'close');
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  }
}
