import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { checkPorts } from './check-ports.ts';
import type { PlannedProcess } from './plan-processes.ts';

test('every port that another program uses is named, with its process', async () => {
  const [gateway, scoring, free] = await Promise.all([listen(), listen(), listen()]);
  await free.close();
  const planned: PlannedProcess[] = [
    {
      name: 'scoring-2',
      part: 'scoring',
      settings: { GRPC_ADDRESS: `127.0.0.1:${scoring.port}`, METRICS_PORT: '' },
    },
    {
      name: 'gateway-1',
      part: 'gateway',
      settings: { PORT: `${gateway.port}`, METRICS_PORT: `${free.port}` },
    },
  ];
  await expect(checkPorts(planned)).rejects.toThrow(
    `: ${scoring.port} (scoring-2), ${gateway.port} (gateway-1). PORT, METRICS_PORT and --service-port choose others.`,
  );
  await Promise.all([gateway.close(), scoring.close()]);
  await checkPorts(planned);
});

async function listen() {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async close() {
      server.close();
      await once(server, 'close');
    },
  };
}
