import { parentPort, workerData } from 'node:worker_threads';
import {
  handOver,
  ownBytes,
  type ReadyMessage,
  type ThreadReply,
  type ThreadRequest,
  toBuffer,
} from './direct/thread-messages.ts';
import { startEngine } from './start-engine.ts';

const { dataDir } = workerData as { dataDir: string };

// A failure is uncaught: it ends the thread, and the parent thread receives it.
const engine = await startEngine({ dataDir });
/** The object that identifies each client of the parent thread in this one. */
const clients = new Map<number, object>();

parentPort?.on('message', async (request: ThreadRequest) => {
  if (request.kind === 'send') await answer(request);
  else if (request.kind === 'close-client') closeClient(request.client);
  else {
    await engine.stop();
    process.exit();
  }
});
const ready: ReadyMessage = { mongodbUri: engine.mongodbUri };
parentPort?.postMessage(ready);

async function answer({ id, client, message }: Extract<ThreadRequest, { kind: 'send' }>): Promise<void> {
  const known = clients.get(client) ?? {};
  clients.set(client, known);
  const reply = await engine.link.send(toBuffer(message), known).catch(() => undefined);
  if (!reply) {
    parentPort?.postMessage({ id } satisfies ThreadReply);
    return;
  }
  const bytes = ownBytes(reply);
  parentPort?.postMessage({ id, reply: bytes } satisfies ThreadReply, handOver(bytes));
}

function closeClient(client: number): void {
  const known = clients.get(client);
  if (known) engine.link.closeClient(known);
  clients.delete(client);
}
