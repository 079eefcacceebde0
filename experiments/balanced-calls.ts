/**
 * How the calls to several copies of a service are shared, and what a copy that stops, dies or freezes costs its
 * callers. Starts three scoring copies as processes, with store-fetch and niche, on the embedded database and the
 * sample store. Counts calls in the metrics of each copy.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { startEngine } from '@shelfwise/embedded/start-engine';
import { AccountRowsServiceService } from '@shelfwise/proto/account/v1/account_rows';
import { ScoringServiceService } from '@shelfwise/proto/scoring/v1/scoring';
import { createGrpcClient } from '@shelfwise/runtime/grpc/grpc-client';
import { nodeArguments } from '../testing/system/node-arguments.ts';
import { type ServiceProcess, startServiceProcess } from '../testing/system/service-process.ts';
import { longestOutage, recoveryTime, type SeenCall } from './faults/outages.ts';
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
  console.log(`Usage: node --import tsx --conditions=shelfwise-source experiments/balanced-calls.ts [--grpcurl PATH] [--copies 3] [--freeze]

  --grpcurl  also a call by grpcurl, whose work niche shares among the copies, and calls of grpcurl to a DNS name of copies
             (go install github.com/fullstorydev/grpcurl/cmd/grpcurl@v1.9.3)
  --freeze   also one of two copies, then both, stopped with SIGSTOP for 10 s (a minute longer)`);
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
  if (values.freeze) {
    await freezeCopies(copies, { running: 1 });
    await freezeCopies(copies, { running: 0 });
  }
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
 * grpcurl makes one call. Of a name with several addresses and round_robin in the name's service config, each run
 * begins with any of them. The copies listen on one port of several loopback addresses.
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

/**
 * Forty clients make a call every half second, whatever becomes of their last one: reads, which may be repeated, and
 * writes, which may not. For ten seconds all copies, or all but `running`, are frozen.
 */
async function freezeCopies(copies: readonly ServiceProcess[], { running }: { running: number }) {
  const clientCount = 20;
  const used = copies.slice(0, 2);
  const address = used.map((copy) => copy.address).join(',');
  const reads = createGrpcClient({ service: ScoringServiceService, name: 'scoring', address });
  const writes = createGrpcClient({ service: AccountRowsServiceService, name: 'scoring', address });
  const read = (id: string) => reads.client.checkMetadata(draft, { requestId: id, deadline: inSeconds(5) });
  const write = (id: string) =>
    writes.client.deleteAccountRows({ account_id: id }, { requestId: id, deadline: inSeconds(30) });
  const groups = [
    { name: 'reads', call: read, clients: Array.from({ length: clientCount }, (): SeenCall[] => []) },
    { name: 'writes', call: write, clients: Array.from({ length: clientCount }, (): SeenCall[] => []) },
  ];
  const pending: Promise<unknown>[] = [];
  const callOnce = async (call: (id: string) => Promise<unknown>, seen: SeenCall[]) => {
    const sentAt = performance.now();
    const isGood = await call(randomUUID()).then(
      () => true,
      () => false,
    );
    seen.push({ sentAt, ms: performance.now() - sentAt, isGood });
  };
  const frozen = used.slice(running);
  const signal = (name: NodeJS.Signals) => {
    for (const { pid } of frozen) if (pid) process.kill(pid, name);
  };
  let goOnAt = 0;
  let isOver = false;
  const freezing = sleep(5000).then(async () => {
    signal('SIGSTOP');
    await sleep(10_000);
    goOnAt = performance.now();
    signal('SIGCONT');
    await sleep(8000);
    isOver = true;
  });
  while (!isOver)
    for (let i = 0; i < clientCount; i++)
      for (const group of groups) {
        pending.push(callOnce(group.call, group.clients[i] as SeenCall[]));
        await sleep(12);
      }
  await freezing;
  await Promise.all(pending);
  reads.close();
  writes.close();
  console.log(`${frozen.length} of 2 copies frozen for 10 s`);
  for (const { name, clients } of groups) {
    const calls = clients.flat();
    const seconds = (ms: number) => (ms / 1000).toFixed(1);
    const outages = clients.map((seen) => longestOutage(seen, performance.now()));
    const failed = calls.filter((call) => !call.isGood);
    const slowest = Math.max(...calls.map(({ ms }) => ms));
    console.log(
      `  ${calls.length} ${name}: ${failed.length} failed; slowest ${seconds(slowest)} s; longest outage of a client ${seconds(Math.max(...outages))} s; the last failure ${seconds(recoveryTime(calls, goOnAt, 5000))} s after the freeze`,
    );
  }
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
