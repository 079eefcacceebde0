import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { StatusServiceService } from '@shelfwise/proto/runtime/v1/status';
import { callWithin } from '../../testing/call-within.ts';
import { writeService } from '../../testing/copies/write-service.ts';
import { flagsOfTestProgram } from '../../testing/system/node-arguments.ts';
import { until } from '../../testing/until.ts';
import { useClosing } from '../../testing/use-closing.ts';
import { createGrpcClient } from '../src/grpc/client/grpc-client.ts';

// Several copies of a service, each in a process of its own, under load from one client.

/** A failure that does not wait for it comes long before it: the test ends first. */
const deadlineMs = 10 * 60_000;

const closing = useClosing();

type Copy = { process: ChildProcess; address: string };

/** The copies that run. A test takes two, and those that it leaves alive serve the next one. */
const running = new Set<Copy>();
afterAll(() => {
  for (const { process: child } of running) child.kill('SIGKILL');
});

async function startCopy(): Promise<void> {
  const child = fork('testing/copies/copy-process.ts', { execArgv: flagsOfTestProgram() });
  const [{ address }] = (await once(child, 'message')) as [{ address: string }];
  const copy = { process: child, address };
  running.add(copy);
  child.once('exit', () => running.delete(copy));
}

async function takeCopies(): Promise<[Copy, Copy]> {
  await Promise.all(Array.from({ length: 2 - running.size }, startCopy));
  return [...running] as [Copy, Copy];
}

/** Until the end of the test, `onBegun` gets the id of every write that the copy begins. */
function watchWrites(copy: Copy, onBegun: (id: string) => void): void {
  const onMessage = ({ begun }: { begun: string }) => onBegun(begun);
  copy.process.on('message', onMessage);
  closing.push(() => copy.process.off('message', onMessage));
}

function freeze(copy: Copy): void {
  copy.process.kill('SIGSTOP');
  closing.push(() => copy.process.kill('SIGCONT'));
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
  const answered = { reads: 0, writes: new Set<string>() };
  const failed = { reads: [] as unknown[], writes: new Map<string, unknown>() };
  let isOver = false;
  let writeCount = 0;
  const read = async () => {
    while (!isOver)
      await readClient.getStatus({}, callWithin(deadlineMs)).then(
        () => answered.reads++,
        (error: unknown) => failed.reads.push(error),
      );
  };
  const write = async () => {
    while (!isOver) {
      const id = `write-${writeCount++}`;
      await writeClient.write(id, callWithin(deadlineMs)).then(
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
  closing.push(stop);
  /** Waits for a hundred further reads and writes. */
  const goOn = async () => {
    const [reads, writes] = [answered.reads + 100, answered.writes.size + 100];
    await until(() => answered.reads >= reads && answered.writes.size >= writes);
  };
  const succeeds = (call: () => Promise<unknown>) =>
    until(() =>
      call().then(
        () => true,
        () => false,
      ),
    );
  const recover = async () => {
    await succeeds(() => readClient.getStatus({}, callWithin(deadlineMs)));
    await succeeds(() => writeClient.write('last', callWithin(deadlineMs)));
  };
  return { answered, failed, goOn, stop, recover };
}

async function startSystem() {
  const copies = await takeCopies();
  const begun: string[] = [];
  for (const copy of copies) watchWrites(copy, (id) => begun.push(id));
  const load = startLoad(copies.map(({ address }) => address).join(','));
  await load.goOn();
  return { begun, copies, first: copies[0], load };
}

test('a copy that stops on SIGTERM loses no call and ends within ten seconds; every write is made once', async () => {
  const { begun, first, load } = await startSystem();
  first.process.kill('SIGTERM');
  // After ten seconds it would end with 1.
  expect(await once(first.process, 'exit')).toEqual([0, null]);
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
  freeze(first);
  await load.goOn();
  await until(() => load.failed.writes.size > 0);
  const failedBefore = [...load.failed.writes.keys()];
  const begunLater: string[] = [];
  watchWrites(first, (id) => begunLater.push(id));
  first.process.kill('SIGCONT');
  await until(() => begunLater.length > 10);
  await load.stop();
  expect(load.failed.reads).toEqual([]);
  for (const error of load.failed.writes.values())
    expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(new Set(begun).size).toBe(begun.length);
  expect(begunLater.filter((id) => failedBefore.includes(id))).toEqual([]);
});

test('while all copies are frozen, calls fail at once after some seconds; they succeed as soon as one goes on', async () => {
  const { copies, load } = await startSystem();
  for (const copy of copies) freeze(copy);
  // Each caller fails again and again, although no copy refuses anything. Callers that wait two seconds each time do not
  // get this far within the minute of `until`.
  await until(() => load.failed.reads.length >= 300 && load.failed.writes.size >= 300);
  await load.stop();
  copies[0].process.kill('SIGCONT');
  await load.recover();
  for (const error of [...load.failed.reads, ...load.failed.writes.values()])
    expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});
