/**
 * How the calls to several copies of a service are shared, and what a copy that stops, dies or freezes costs its callers. Starts
 * three scoring copies as processes, with store-fetch and niche, on the embedded database and the sample store. Counts calls in
 * the metrics of each copy.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { startEngine } from '@shelfwise/embedded/start-engine';
import { ScoringServiceService } from '@shelfwise/proto/scoring/v1/scoring';
import { createGrpcClient } from '@shelfwise/runtime/grpc/grpc-client';
import { nodeArguments } from '../testing/system/node-arguments.ts';
import { type ServiceProcess, startServiceProcess } from '../testing/system/service-process.ts';
import { startDnsServer } from './lib/dns-server.ts';

const { values } = parseArgs({
  options: {
    grpcurl: { type: 'string' },
    copies: { type: 'string', default: '3' },
    freeze: { type: 'boolean', default: false },
    help: { type: 'boolean' },
  },
});
if (values.help) {
  console.log(`Usage: node --import tsx --conditions=source experiments/balanced-calls.ts [--grpcurl PATH] [--copies 3] [--freeze]

  --grpcurl  also a call by grpcurl, whose work niche shares among the copies, and calls of grpcurl to a DNS name of copies
             (go install github.com/fullstorydev/grpcurl/cmd/grpcurl@v1.9.3)
  --freeze   also a copy that is stopped with SIGSTOP (a minute and a half longer)`);
  process.exit(0);
}

const draft = { store: 'ITUNES', draft: { title: 'Habit tracker', subtitle: 'Streaks and goals' } } as const;
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'shelfwise-balanced-'));
const engine = await startEngine({ dataDir: folder });
const started: ServiceProcess[] = [];
const shared = {
  MONGODB_URI: engine.mongodbUri,
  GRPC_ADDRESS: '127.0.0.1:0',
  METRICS_PORT: '0',
  LOG_LEVEL: 'warn',
};

async function start(entry: string, settings: Record<string, string> = {}): Promise<ServiceProcess> {
  const service = await startServiceProcess(entry, { ...shared, ...settings });
  if (!service.address) throw new Error(`${entry} did not start: ${service.output()}`);
  started.push(service);
  return service;
}

try {
  await run(process.execPath, nodeArguments('app/src/commands/migrate.ts'), {
    env: { ...process.env, ...shared },
  });
  const storeFetch = await start('services/store-fetch/src/main.ts', { STORE_SOURCE: 'sample' });
  const needed = { STORE_FETCH_ADDRESS: storeFetch.address };
  const copies: ServiceProcess[] = [];
  for (let i = 0; i < Number(values.copies); i++)
    copies.push(await start('services/scoring/src/main.ts', needed));
  const address = copies.map((copy) => copy.address).join(',');
  console.log(`scoring: ${address}`);

  await countCallsOfOneClient(copies, address);
  if (values.grpcurl) {
    await countWorkOfOneCall(values.grpcurl, copies, { ...needed, SCORING_ADDRESS: address });
    await countCallsOfGrpcurl(values.grpcurl, needed);
  }
  await loseACopy('SIGTERM', copies, address);
  await loseACopy('SIGKILL', copies, address);
  if (values.freeze) await freezeACopy(copies, address);
} finally {
  await Promise.all(started.map((service) => service.end('SIGKILL')));
  await engine.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function countCallsOfOneClient(copies: readonly ServiceProcess[], address: string): Promise<void> {
  const { client, close } = createGrpcClient({ service: ScoringServiceService, name: 'scoring', address });
  const before = await countCalls(copies, 'checkMetadata');
  for (let i = 0; i < 300; i++)
    await client.checkMetadata(draft, { requestId: `call-${i}`, deadline: inSeconds(5) });
  console.log(
    `300 calls of one client, by copy: ${difference(await countCalls(copies, 'checkMetadata'), before)}`,
  );
  close();
}

/** A niche analysis asks scoring for the scores of its candidates, up to twenty terms a call. */
async function countWorkOfOneCall(
  grpcurl: string,
  copies: readonly ServiceProcess[],
  settings: Record<string, string>,
) {
  const niche = await start('services/niche/src/main.ts', settings);
  const before = await countCalls(copies, 'scoreTerms');
  const request = {
    account_id: 'account-1',
    topic: 'habit tracker',
    storefront: { store: 'ITUNES', country: 'US', lang: 'en-US' },
    may_begin: true,
  };
  const args = ['-plaintext', '-max-time', '300', '-d', JSON.stringify(request), niche.address];
  const { stdout } = await run(grpcurl, [...args, 'shelfwise.niche.v1.NicheService/AnalyzeNiche']);
  const { analysis } = JSON.parse(stdout) as { analysis?: { candidates?: number } };
  const calls = difference(await countCalls(copies, 'scoreTerms'), before);
  console.log(
    `one grpcurl call of AnalyzeNiche (${analysis?.candidates} terms), its calls of scoring by copy: ${calls}`,
  );
  for (const copy of copies) {
    const check = [copy.address, 'grpc.health.v1.Health/Check'];
    const health = await run(grpcurl, ['-plaintext', ...check]);
    console.log(`health of ${copy.address} by grpcurl: ${JSON.stringify(JSON.parse(health.stdout))}`);
  }
}

/**
 * grpcurl makes one call. Of a name with several addresses and round_robin in the name's service config, each run begins
 * with any of them. The copies listen on one port of several loopback addresses.
 */
async function countCallsOfGrpcurl(grpcurl: string, settings: Record<string, string>): Promise<void> {
  const calls = 30;
  const hosts = ['127.0.0.1', '127.0.0.2', '127.0.0.3'];
  const copies: ServiceProcess[] = [];
  for (const host of hosts) {
    const port = copies[0]?.address.split(':')[1] ?? '0';
    copies.push(
      await start('services/scoring/src/main.ts', { ...settings, GRPC_ADDRESS: `${host}:${port}` }),
    );
  }
  const port = copies[0]?.address.split(':')[1];
  const dns = await startDnsServer(hosts);
  const target = `dns://127.0.0.1:${dns.port}/scoring.test:${port}`;
  const args = ['-plaintext', '-d', JSON.stringify(draft), target];
  for (let i = 0; i < calls; i++)
    await run(grpcurl, [...args, 'shelfwise.scoring.v1.ScoringService/CheckMetadata']);
  dns.close();
  const counts = await countCalls(copies, 'checkMetadata');
  console.log(`${calls} runs of grpcurl with the DNS name of ${hosts.length} copies: ${counts.join(', ')}`);
}

/** Sixteen callers without a pause; a copy gets the signal after two seconds and another takes its address. */
async function loseACopy(
  signal: 'SIGTERM' | 'SIGKILL',
  copies: ServiceProcess[],
  address: string,
): Promise<void> {
  const load = startLoad(address);
  await sleep(2000);
  const lost = copies.shift() as ServiceProcess;
  const signaledAt = performance.now();
  await lost.end(signal);
  const endedAfterMs = Math.round(performance.now() - signaledAt);
  await sleep(1000);
  const settings = { STORE_FETCH_ADDRESS: started[0]?.address ?? '', GRPC_ADDRESS: lost.address };
  const back = await start('services/scoring/src/main.ts', settings);
  copies.push(back);
  await sleep(3000);
  const [calls = 0] = await countCalls([back], 'checkMetadata');
  const { answered, failures } = await load.stop();
  console.log(
    `${signal}: ${answered} calls answered, ${failures.length} failed; the copy ended after ${endedAfterMs} ms, the next one got ${calls} calls in 3 s`,
  );
}

/** Forty calls a second, whatever becomes of them, for a minute in which one copy is frozen. */
async function freezeACopy(copies: readonly ServiceProcess[], address: string): Promise<void> {
  const { client, close } = createGrpcClient({ service: ScoringServiceService, name: 'scoring', address });
  const pid = copies[0]?.pid ?? 0;
  const seconds = Array.from({ length: 75 }, () => ({ calls: 0, failed: 0 }));
  const pending: Promise<unknown>[] = [];
  for (const [second, counts] of seconds.entries()) {
    if (second === 5) process.kill(pid, 'SIGSTOP');
    if (second === 65) process.kill(pid, 'SIGCONT');
    for (let i = 0; i < 40; i++) {
      counts.calls++;
      const call = client.checkMetadata(draft, { requestId: 'frozen', deadline: inSeconds(5) });
      pending.push(call.catch(() => counts.failed++));
      await sleep(25);
    }
  }
  await Promise.all(pending);
  close();
  const failed = seconds.map((counts) => counts.failed);
  const last = failed.findLastIndex((count) => count > 0);
  const sum = failed.reduce((total, count) => total + count, 0);
  console.log(
    `one of ${copies.length} copies frozen for 60 s: ${sum} of ${seconds.length * 40} calls failed`,
  );
  console.log(`  the last one ${last - 5} s after the freeze; by second: ${failed.slice(5, 66).join(' ')}`);
}

function startLoad(address: string) {
  const { client, close } = createGrpcClient({ service: ScoringServiceService, name: 'scoring', address });
  const failures: unknown[] = [];
  let answered = 0;
  let isOver = false;
  const repeat = async () => {
    while (!isOver)
      await client.checkMetadata(draft, { requestId: 'load', deadline: inSeconds(5) }).then(
        () => answered++,
        (error: unknown) => failures.push(error),
      );
  };
  const callers = Array.from({ length: 16 }, repeat);
  return {
    async stop() {
      isOver = true;
      await Promise.all(callers);
      close();
      return { answered, failures };
    },
  };
}

/** How many calls of a method each copy has answered. */
async function countCalls(copies: readonly ServiceProcess[], method: string): Promise<number[]> {
  return Promise.all(
    copies.map(async (copy) => {
      const url = copy.line.match(/metrics on (\S+)/)?.[1] ?? '';
      const text = await (await fetch(url)).text();
      const counts = text.matchAll(/^shelfwise_rpc_duration_seconds_count\{(.*)\} (\d+)$/gm);
      return [...counts]
        .filter(([, labels]) => labels?.includes(`method="${method}"`))
        .reduce((sum, [, , count]) => sum + Number(count), 0);
    }),
  );
}

function difference(after: readonly number[], before: readonly number[]): string {
  return after.map((count, i) => count - (before[i] ?? 0)).join(', ');
}

function inSeconds(seconds: number): Date {
  return new Date(Date.now() + seconds * 1000);
}
