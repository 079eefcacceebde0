import { createSingleflight } from './singleflight.ts';

const patient = () => new AbortController().signal;

/** Work that a test ends by hand; it remembers the signal that it was given. */
function createWork() {
  const begun: AbortSignal[] = [];
  let end: (value: string) => void = () => {};
  const work = (signal: AbortSignal) => {
    begun.push(signal);
    return new Promise<string>((resolve) => {
      end = resolve;
    });
  };
  return { begun, work, end: (value: string) => end(value) };
}

test('callers of one key share one piece of work, callers of another key do not', async () => {
  const flights = createSingleflight<string>();
  const { begun, work, end } = createWork();
  const first = flights.join('a', patient(), work);
  const second = flights.join('a', patient(), work);
  const other = flights.join('b', patient(), async () => 'b');
  end('a');
  expect(await Promise.all([first, second, other])).toEqual(['a', 'a', 'b']);
  expect(begun).toHaveLength(1);
});

test('after the end, and after a failure, the next caller begins anew', async () => {
  const flights = createSingleflight<string>();
  const failing = async () => {
    throw new Error('no');
  };
  await expect(flights.join('a', patient(), failing)).rejects.toThrow('no');
  expect(await flights.join('a', patient(), async () => 'yes')).toBe('yes');
  expect(await flights.join('a', patient(), async () => 'again')).toBe('again');
});

test('one who gives up leaves the work to those who wait', async () => {
  const flights = createSingleflight<string>();
  const { begun, work, end } = createWork();
  const hurried = new AbortController();
  const first = flights.join('a', hurried.signal, work);
  const second = flights.join('a', patient(), work);
  hurried.abort(new Error('too late'));
  await expect(first).rejects.toThrow('too late');
  expect(begun[0]?.aborted).toBe(false);
  end('done');
  expect(await second).toBe('done');
});

test('when nobody waits any more the work is abandoned, and the next caller does not get it', async () => {
  const flights = createSingleflight<string>();
  const { begun, work } = createWork();
  const hurried = new AbortController();
  const first = flights.join('a', hurried.signal, work);
  hurried.abort(new Error('too late'));
  await expect(first).rejects.toThrow('too late');
  expect(begun[0]?.aborted).toBe(true);
  expect(await flights.join('a', patient(), async () => 'fresh')).toBe('fresh');
});

test('a caller whose time is up already begins nothing', async () => {
  const flights = createSingleflight<string>();
  const { begun, work } = createWork();
  await expect(flights.join('a', AbortSignal.abort(new Error('up')), work)).rejects.toThrow('up');
  expect(begun).toEqual([]);
});

test('what the callers of one piece of work share reaches the work, from the first caller and from later ones', async () => {
  const flights = createSingleflight<string, string[]>(() => []);
  const { work, end } = createWork();
  const seen: string[][] = [];
  const sharing = (signal: AbortSignal, shared: string[]) => {
    seen.push([...shared]);
    return work(signal);
  };
  const shared: string[][] = [];
  const board = (name: string) => (given: string[]) => {
    given.push(name);
    shared.push(given);
  };
  const first = flights.join('a', patient(), sharing, board('first'));
  const second = flights.join('a', patient(), sharing, board('second'));
  const other = flights.join('b', patient(), async () => 'b', board('other'));
  end('done');
  await Promise.all([first, second, other]);
  expect(seen).toEqual([['first']]);
  expect(shared).toEqual([['first', 'second'], ['first', 'second'], ['other']]);
  expect(shared[0]).toBe(shared[1]);
});
