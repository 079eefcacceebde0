/**
 * Three times the capacity, then half of it, for `npm start`: one process with everything in it.
 * `npm run faults -- --only 15` does the same with every part in two processes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { localSocketPath } from '@shelfwise/embedded/local-socket';
import { startSystemProcess } from '../testing/system/system-process.ts';
import { describeOverload, judgeOverload, runOverload } from './faults/overload.ts';
import { startBalancer } from './lib/balancer.ts';
import { createAccounts } from './lib/create-accounts.ts';
import { worstOutcome } from './lib/judge-on-machine.ts';

const { values } = parseArgs({ options: { help: { type: 'boolean' } } });
if (values.help) {
  console.log(
    'Usage: npm run overload\n\nTakes about three minutes. Ends with 1 when a goal is missed on a machine that was fast enough.',
  );
  process.exit(0);
}

const dataDir = mkdtempSync(join(tmpdir(), 'shelfwise-overload-'));
const system = await startSystemProcess({ METRICS_PORT: '0', SHELFWISE_DATA_DIR: dataDir });
const mongodbUri = `mongodb://${encodeURIComponent(localSocketPath(dataDir, 'mongodb.sock'))}`;
const balancer = startBalancer([system.url]);
try {
  const createKeys = async (count: number) => (await createAccounts(mongodbUri, count)).map(({ key }) => key);
  const readMetrics = async () => {
    const response = await fetch(`${system.opsUrl}/metrics`);
    return new Map([['all-in-one', await response.text()]]);
  };
  const result = await runOverload({ balancer, createKeys, readMetrics, spent: new Map() });
  console.log(describeOverload(result));
  process.exitCode = worstOutcome(judgeOverload(result)) === 'missed' ? 1 : 0;
} finally {
  await balancer.stop();
  await system.end('SIGTERM');
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit();
