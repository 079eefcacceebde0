/** `npm start` that also publishes what is posted to it, and shows its memory. alert-kills.ts and `times -- deliveries` start and kill it. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { allInOneConfig, quietLevel } from '@shelfwise/app/config';
import { startSystem } from '@shelfwise/app/start/start-system';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { readConfig } from '@shelfwise/runtime/process/config';
import { createRun, runUntilSignal } from '@shelfwise/runtime/process/run';
import type { PostedEvent } from './start-alerts-system.ts';

const settings = readConfig(allInOneConfig, process.env);
const level = settings.LOG_LEVEL ?? quietLevel;
const logger = createLogger({ name: 'alerts-system', level, destination: process.stderr });
const run = createRun(logger);
const worker = new URL(import.meta.resolve('@shelfwise/embedded/worker'));
const host = { pid: process.pid, nodeVersion: process.versions.node };
const system = await startSystem({ settings, run, logger, worker, process: host });
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const publisher = createServer(async (request, response) => {
  if (request.method === 'GET') {
    collectGarbage();
    response.end(JSON.stringify(process.memoryUsage()));
    return;
  }
  const posted = (await json(request)) as PostedEvent[];
  const events = posted.map(({ payload, at, ...event }) => ({
    ...event,
    at: new Date(at),
    payload: Buffer.from(payload, 'base64'),
  }));
  await system.buses.tracking.publish(events);
  response.end();
});
await new Promise<void>((resolve) => publisher.listen(0, '127.0.0.1', resolve));
run.onStop('publisher of the experiment', async () => {
  publisher.close();
  publisher.closeAllConnections();
});
console.log(`Events are taken at http://127.0.0.1:${(publisher.address() as AddressInfo).port}`);
console.log(`Shelfwise listens on ${system.url}. Ctrl-C stops it.`);
await runUntilSignal(process, run, logger, { onDraining: system.announceDraining });
