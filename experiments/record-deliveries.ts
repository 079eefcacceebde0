import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  createRecording,
  deliveriesFile,
  recordDeliveries,
} from '../services/notify/test/record-deliveries.ts';
import { startNotifyCopies } from './lib/start-notify-copies.ts';
import { temporaryFolder } from './lib/temporary-folder.ts';

// Part of npm run record-examples: a signed delivery of each kind of alert, of a digest and of a test.
const recording = createRecording();
const dataDir = join(temporaryFolder('record-deliveries'), 'data');
const { copies, stop } = await startNotifyCopies({ count: 1, dataDir, ...recording });
const [copy] = copies;
if (!copy) throw new Error('there is one copy');
const recorded = await recordDeliveries(copy, recording);
await stop();
mkdirSync(dirname(deliveriesFile), { recursive: true });
writeFileSync(deliveriesFile, `${JSON.stringify(recorded, null, 2)}\n`);
console.log(`recorded ${Object.keys(recorded.deliveries).length} deliveries in ${deliveriesFile}`);
process.exit();
