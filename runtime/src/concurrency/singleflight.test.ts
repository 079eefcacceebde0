import { createSingleflight } from './singleflight.ts';

const neverAborted = () => new AbortController().signal;

/** Work that a test finishes by hand. It records the signals that it received. */
function createWork() {
  const started: AbortSignal[] = [];
  let finish: (value: string) => void = () => {};
  const work = (signal: AbortSignal) => {
    started.push(signal);
    return new Promise<string>((resolve) => {
      finish = resolve;
    });
  };
  return { started, work, finish: (value: string) => finish(value) };
}

test('callers with the same key share one piece of work, callers with another key do not', async () => {
  const singleflight = createSingleflight<string>();
  const { started, work, finish } = createWork();
  const first = singleflight.join('a', neverAborted(), work);
  const second = singleflight.join('a', neverAborted(), work);
  const other = singleflight.join('b', neverAborted(), async () => 'b');
  finish('a');
  expect(await Promise.all([first, second, other])).toEqual(['a', 'a', 'b']);
  expect(started).toHaveLength(1);
});

test('after success or failure, the next caller starts new work', async () => {
  const singleflight = createSingleflight<string>();
  const failing = async () => {
    throw new Error('no');
  };
  await expect(singleflight.join('a', neverAborted(), failing)).rejects.toThrow('no');
  expect(await singleflight.join('a', neverAborted(), async () => 'yes')).toBe('yes');
  expect(await singleflight.join('a', neverAborted(), async () => 'again')).toBe('again');
});

test('a caller that gives up leaves the work to the remaining callers', async () => {
  const singleflight = createSingleflight<string>();
  const { started, work, finish } = createWork();
  const aborting = new AbortController();
  const first = singleflight.join('a', aborting.signal, work);
  const second = singleflight.join('a', neverAborted(), work);
  aborting.abort(new Error('too late'));
  await expect(first).rejects.toThrow('too late');
  expect(started[0]?.aborted).toBe(false);
  finish('done');
  expect(await second).toBe('done');
});

test('the work is aborted when its last caller gives up, and the next caller starts new work', async () => {
  const singleflight = createSingleflight<string>();
  const { started, work } = createWork();
  const aborting = new AbortController();
  const first = singleflight.join('a', aborting.signal, work);
  aborting.abort(new Error('too late'));
  await expect(first).rejects.toThrow('too late');
  expect(started[0]?.aborted).toBe(true);
  expect(await singleflight.join('a', neverAborted(), async () => 'fresh')).toBe('fresh');
});

test('a caller with an aborted signal starts no work', async () => {
  const singleflight = createSingleflight<string>();
  const { started, work } = createWork();
  await expect(singleflight.join('a', AbortSignal.abort(new Error('up')), work)).rejects.toThrow('up');
  expect(started).toEqual([]);
});

test('the state shared by callers reaches the work, from the first caller and from later ones', async () => {
  const singleflight = createSingleflight<string, string[]>(() => []);
  const { work, finish } = createWork();
  const seen: string[][] = [];
  const sharing = (signal: AbortSignal, shared: string[]) => {
    seen.push([...shared]);
    return work(signal);
  };
  const shared: string[][] = [];
  const addCaller = (name: string) => (given: string[]) => {
    given.push(name);
    shared.push(given);
  };
  const first = singleflight.join('a', neverAborted(), sharing, addCaller('first'));
  const second = singleflight.join('a', neverAborted(), sharing, addCaller('second'));
  const other = singleflight.join('b', neverAborted(), async () => 'b', addCaller('other'));
  finish('done');
  await Promise.all([first, second, other]);
  expect(seen).toEqual([['first']]);
  expect(shared).toEqual([['first', 'second'], ['first', 'second'], ['other']]);
  expect(shared[0]).toBe(shared[1]);
});
