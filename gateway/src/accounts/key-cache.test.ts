import { createKeyCache } from './key-cache.ts';

function create() {
  const clock = { ms: 0 };
  const cache = createKeyCache<string>({ monotonicMs: () => clock.ms });
  const loads: string[] = [];
  const get = (hash: string, found = hash) =>
    cache.get(hash, async () => {
      loads.push(hash);
      return found;
    });
  return { clock, cache, loads, get };
}

test('a key is looked up once a second, however many calls come', async () => {
  const { clock, loads, get } = create();
  expect(await Promise.all([get('k'), get('k'), get('k')])).toEqual(['k', 'k', 'k']);
  clock.ms = 999;
  await get('k');
  expect(loads).toEqual(['k']);
  clock.ms = 1000;
  expect(await get('k', 'changed')).toBe('changed');
});

test('after a change of keys everything is looked up again, also what was being looked up', async () => {
  const { cache, get } = create();
  let finishOld: (found: string) => void = () => {};
  const old = cache.get('k', () => new Promise((resolve) => (finishOld = resolve)));
  cache.clear();
  finishOld('old');
  expect(await old).toBe('old');
  expect(await get('k', 'new')).toBe('new');
});

test('a look-up that failed is tried again by the next call', async () => {
  const { cache, get } = create();
  await expect(cache.get('k', () => Promise.reject(new Error('database')))).rejects.toThrow('database');
  expect(await get('k')).toBe('k');
});

test('keys without end do not fill the memory: the oldest are forgotten', async () => {
  const { loads, get } = create();
  for (let key = 0; key <= 10_000; key++) await get(`k${key}`);
  await get('k10000');
  expect(loads).toHaveLength(10_001);
  await get('k0');
  expect(loads).toHaveLength(10_002);
});
