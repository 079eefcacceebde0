import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEngine } from '@shelfwise/embedded/start-engine';
import { createEmptyTracking } from './empty-tracking.ts';

/** A database, and a tracking service that answers every call with an empty list. */
const dataDir = mkdtempSync(join(tmpdir(), 'shelfwise-bench-'));
const engine = await startEngine({ dataDir });
const server = createEmptyTracking();
process.send?.({ address: await server.listen('127.0.0.1:0'), mongodbUri: engine.mongodbUri });

process.once('disconnect', async () => {
  await server.drain(1000);
  await engine.stop();
  rmSync(dataDir, { recursive: true, force: true });
  process.exit(0);
});
