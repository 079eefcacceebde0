import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { StatusServiceService } from '@shelfwise/proto/runtime/v1/status';
import { until } from '../../testing/until.ts';
import { createGrpcClient } from '../src/grpc/grpc-client.ts';
import { writeService } from './lib/write-service.ts';

// Several copies of a service, each in a process of its own, under load from one client.

jest.setTimeout(60_000);

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0).reverse()) close();
});

type Begun = { begun: string; at: number };
type Copy = { process: ChildProcess; address: string };

/** Starts a copy. `onBegun` is called with the id of every write that it begins. */
async function startCopy(onBegun: (id: string) => void): Promise<Copy> {
  const execArgv = ['--import', 'tsx', '--conditions=shelfwise-source'];
  const child = fork('runtime/test/lib/copy-process.ts', { execArgv });
  closing.push(() => child.kill('SIGKILL'));
  const [{ address }] = (await once(child, 'message')) as [{ address: string }];
  child.on('message', ({ begun }: Begun) => onBegun(begun));
  return { process: child, address };
}

/** Reads and writes without a pause, eight callers each. */
function startLoad(address: string) {
  const connect = <Service extends typeof StatusServiceService | typeof writeService>(service: Service) => {
    const { client, close } = createGrpcClient({ service, name: 'probe', address });
    closing.push(close);
    return client;
  };
  const readClient = connect(StatusServiceService);
  const writeClient = connect(writeService);
  const call = () => ({ requestId: 'req-1', deadline: new Date(Date.now() + 30_000) });
  let slowestMs = 0;
  const timed = async <Reply>(begin: () => Promise<Reply>): Promise<Reply> => {
    const startedAt = performance.now();
    return begin().finally(() => {
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
    });
  };
  /** Of a caller whose call has failed. */
  const pause = () => sleep(20);
  const answered = { reads: 0, writes: new Set<string>() };
  const failed = { reads: [] as unknown[], writes: new Map<string, unknown>() };
  let isOver = false;
  let writeCount = 0;
  const read = async () => {
    while (!isOver)
      await timed(() => readClient.getStatus({}, call())).then(
        () => answered.reads++,
        (error: unknown) => {
          failed.reads.push(error);
          return pause();
        },
      );
  };
  const write = async () => {
    while (!isOver) {
      const id = `write-${writeCount++}`;
      await timed(() => writeClient.write(id, call())).then(
        () => answered.writes.add(id),
        (error: unknown) => {
          failed.writes.set(id, error);
          return pause();
        },
      );
    }
  };
  const callers = Array.from({ length: 8 }, () => [read(), write()]).flat();
  const stop = async () => {
    isOver = true;
    await Promise.all(callers);
  };
  /** Waits for a hundred further reads and writes. */
  const goOn = async () => {
    const [reads, writes] = [answered.reads + 100, answered.writes.size + 100];
    await until(() => answered.reads >= reads && answered.writes.size >= writes);
  };
  return { answered, failed, goOn, stop, slowestMs: () => slowestMs };
}

async function startSystem() {
  const begun: string[] = [];
  const copies = await Promise.all([startCopy((id) => begun.push(id)), startCopy((id) => begun.push(id))]);
  const load = startLoad(copies.map(({ address }) => address).join(','));
  await load.goOn();
  return { begun, copies, first: copies[0] as Copy, load };
}

test('a copy that stops on SIGTERM loses no call and ends within ten seconds; every write is made once', async () => {
  const { begun, first, load } = await startSystem();
  const signaledAt = performance.now();
  first.process.kill('SIGTERM');
  expect(await once(first.process, 'exit')).toEqual([0, null]);
  expect(performance.now() - signaledAt).toBeLessThan(10_000);
  await load.goOn();
  await load.stop();
  expect(load.failed).toEqual({ reads: [], writes: new Map() });
  await until(() => begun.length >= load.answered.writes.size);
  expect(begun.toSorted()).toEqual([...load.answered.writes].toSorted());
});

test('a copy that is killed fails no read; the writes that it had begun fail and are not repeated', async () => {
  const { begun, first, load } = await startSystem();
  first.process.kill('SIGKILL');
  await load.goOn();
  await load.stop();
  expect(load.failed.reads).toEqual([]);
  expect(load.failed.writes.size).toBeGreaterThan(0);
  // The second connection to the copy may take one more call of each caller.
  expect(load.failed.writes.size).toBeLessThanOrEqual(16);
  for (const error of load.failed.writes.values())
    expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(new Set(begun).size).toBe(begun.length);
});

test('a copy that freezes fails no read; its writes fail long before their deadline, and are not repeated or begun later', async () => {
  const { begun, first, load } = await startSystem();
  first.process.kill('SIGSTOP');
  await load.goOn();
  await until(() => load.failed.writes.size > 0);
  const failedBefore = [...load.failed.writes.keys()];
  const continuedAt = Date.now();
  const begunLater: string[] = [];
  first.process.on('message', ({ begun: id, at }: Begun) => at >= continuedAt && begunLater.push(id));
  first.process.kill('SIGCONT');
  await until(() => begunLater.length > 10);
  await load.stop();
  expect(load.failed.reads).toEqual([]);
  for (const error of load.failed.writes.values())
    expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(new Set(begun).size).toBe(begun.length);
  expect(begunLater.filter((id) => failedBefore.includes(id))).toEqual([]);
  // 3.5 seconds, and some for a busy machine.
  expect(load.slowestMs()).toBeLessThan(10_000);
});

test('while all copies are frozen, calls fail at once after some seconds; they succeed as soon as one goes on', async () => {
  const { copies, load } = await startSystem();
  for (const copy of copies) copy.process.kill('SIGSTOP');
  // Each caller fails again and again, although no copy refuses anything.
  await until(() => load.failed.reads.length >= 100 && load.failed.writes.size >= 100);
  copies[0]?.process.kill('SIGCONT');
  await load.goOn();
  await load.stop();
  for (const error of [...load.failed.reads, ...load.failed.writes.values()])
    expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(load.slowestMs()).toBeLessThan(15_000);
});
