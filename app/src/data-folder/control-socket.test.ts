import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callControlSocket, fetchProcessState } from './control-socket.ts';

test('an answer that is not JSON is an error, and no state', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'control-socket-'));
  const socketPath = join(folder, 'control');
  const server = createServer((_, response) => response.end('not JSON'));
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  try {
    await expect(callControlSocket(socketPath, '/state')).rejects.toThrow(SyntaxError);
    expect(await fetchProcessState(socketPath)).toBeNull();
  } finally {
    server.close();
    await rm(folder, { recursive: true });
  }
});
