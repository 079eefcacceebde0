/**
 * Three times the capacity, then half of it, for `npm start`: one process with everything in it. `npm run faults -- --only 15` does the
 * same with every part in two processes.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { localSocketPath } from '@shelfwise/embedded/local-socket';
import { describeOverload, findMissed, runOverload } from './faults/overload.ts';
import { startBalancer } from './lib/balancer.ts';
import { createAccounts } from './lib/create-accounts.ts';

const { values } = parseArgs({
  options: { port: { type: 'string', default: '18080' } },
});
const metricsPort = String(Number(values.port) + 1);
const dataDir = mkdtempSync(join(tmpdir(), 'shelfwise-overload-'));
const child = spawn(process.execPath, ['app/dist/main.js'], {
  env: { ...process.env, PORT: values.port, METRICS_PORT: metricsPort, SHELFWISE_DATA_DIR: dataDir },
  stdio: ['ignore', 'pipe', 'ignore'],
});
process.once('exit', () => child.kill('SIGTERM'));
let output = '';
child.stdout.on('data', (chunk: Buffer) => {
  output += chunk.toString();
});
while (!output.includes('Ctrl-C')) await once(child.stdout, 'data');
const url = `http://127.0.0.1:${values.port}`;
const mongodbUri = `mongodb://${encodeURIComponent(localSocketPath(dataDir, 'mongodb.sock'))}`;
const balancer = startBalancer([url]);
try {
  const createKeys = async (count: number) => (await createAccounts(mongodbUri, count)).map(({ key }) => key);
  const readMetrics = async () => {
    const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
    return new Map([['all-in-one', await response.text()]]);
  };
  const result = await runOverload({ balancer, createKeys, readMetrics, spent: new Map() });
  console.log(describeOverload(result));
  process.exitCode = findMissed(result).length === 0 ? 0 : 1;
} finally {
  await balancer.stop();
  child.kill('SIGTERM');
  await once(child, 'exit');
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit();
