// The worker of the embedded database, which dies in the middle of its 80th insert.
import { parentPort } from 'node:worker_threads';

await import('../scripts/worker-from-source.mjs');
let inserts = 0;
// Its own listener comes first: the write has begun.
parentPort.on('message', ({ message }) => {
  if (message && Buffer.from(message).includes('insert')) inserts += 1;
  if (inserts === 80) process.exit(1);
});
