import { createKeyCache } from './key-cache.ts';

function create() {
  const clock = { ms: 0 };
  const cache = createKeyCache<string | null>({ monotonicMs: () => clock.ms });
  const loads: string[] = [];
  const get = (hash: string, found: string | null = hash) =>
    cache.get(hash, async () => {
      loads.push(hash);
      return found;
    });
  return { clock, cache, loads, get };
}

test('a key is looked up at most once a second', async () => {
  const { clock, loads, get } = create();
  expect(await Promise.all([get('k'), get('k'), get('k')])).toEqual(['k', 'k', 'k']);
  clock.ms = 999;
  await get('k');
  expect(loads).toEqual(['k']);
  clock.ms = 1000;
  expect(await get('k', 'changed')).toBe('changed');
});

test('after a key change every key is looked up again, also one whose lookup was in progress', async () => {
  const { cache, get } = create();
  let finishOld: (found: string) => void = () => {};
  const old = cache.get('k', () => new Promise((resolve) => (finishOld = resolve)));
  cache.clear();
  finishOld('old');
  expect(await old).toBe('old');
  expect(await get('k', 'new')).toBe('new');
});

test('a failed lookup is retried by the next call', async () => {
  const { cache, get } = create();
  await expect(cache.get('k', () => Promise.reject(new Error('database')))).rejects.toThrow('database');
  expect(await get('k')).toBe('k');
});

test('the cache is bounded: the oldest keys are evicted', async () => {
  const { loads, get } = create();
  for (let key = 0; key <= 10_000; key++) await get(`k${key}`);
  await get('k10000');
  expect(loads).toHaveLength(10_001);
  await get('k0');
  expect(loads).toHaveLength(10_002);
});

test('unknown keys are cached, too, and evict no known key', async () => {
  const { loads, get } = create();
  await get('known');
  for (let key = 0; key < 20_000; key++) await get(`k${key}`, null);
  expect(await get('k19999', null)).toBeNull();
  await get('known');
  expect(loads).toHaveLength(20_001);
  await get('k0', null);
  expect(loads).toHaveLength(20_002);
});
