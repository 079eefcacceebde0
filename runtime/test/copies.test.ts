import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { StatusServiceService } from '@shelfwise/proto/runtime/v1/status';
import { until } from '../../testing/manual-clock.ts';
import { createGrpcClient } from '../src/grpc/grpc-client.ts';
import { writeService } from './lib/write-service.ts';

// Several copies of a service, each in a process of its own, under load from one client.

jest.setTimeout(60_000);

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0).reverse()) close();
});

type Copy = { process: ChildProcess; address: string };

/** Starts a copy. `onBegun` is called with the id of every write that it begins. */
async function startCopy(onBegun: (id: string) => void): Promise<Copy> {
  const execArgv = ['--import', 'tsx', '--conditions=source'];
  const child = fork('runtime/test/lib/copy-process.ts', { execArgv });
  closing.push(() => child.kill('SIGKILL'));
  const [{ address }] = (await once(child, 'message')) as [{ address: string }];
  child.on('message', ({ begun }: { begun: string }) => onBegun(begun));
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
  const call = () => ({ requestId: 'req-1', deadline: new Date(Date.now() + 10_000) });
  const answered = { reads: 0, writes: new Set<string>() };
  const failed = { reads: [] as unknown[], writes: new Map<string, unknown>() };
  let isOver = false;
  let writeCount = 0;
  const read = async () => {
    while (!isOver)
      await readClient.getStatus({}, call()).then(
        () => answered.reads++,
        (error: unknown) => failed.reads.push(error),
      );
  };
  const write = async () => {
    while (!isOver) {
      const id = `write-${writeCount++}`;
      await writeClient.write(id, call()).then(
        () => answered.writes.add(id),
        (error: unknown) => failed.writes.set(id, error),
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
  return { answered, failed, goOn, stop };
}

async function startSystem() {
  const begun: string[] = [];
  const copies = await Promise.all([startCopy((id) => begun.push(id)), startCopy((id) => begun.push(id))]);
  const load = startLoad(copies.map(({ address }) => address).join(','));
  await load.goOn();
  return { begun, first: copies[0] as Copy, load };
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
