import { createKeyCache } from './key-cache.ts';

type Owner = { id: string };

function create(maxAgeMs = Number.POSITIVE_INFINITY) {
  const clock = { ms: 0 };
  const cache = createKeyCache<Owner>({ monotonicMs: () => clock.ms, maxAgeMs });
  const loads: string[] = [];
  const get = (hash: string, id: string | null = hash) =>
    cache.get(hash, async () => {
      loads.push(hash);
      return id === null ? null : { id };
    });
  return { clock, cache, loads, get };
}

/** A lookup that the test ends. */
function startLookup(cache: ReturnType<typeof create>['cache'], hash: string) {
  let end: (found: Owner | null) => void = () => {};
  const found = cache.get(hash, () => new Promise((resolve) => (end = resolve)));
  return { found, end: (owner: Owner | null) => end(owner) };
}

test('a key is looked up once, however old the answer is', async () => {
  const { clock, loads, get } = create();
  expect(await Promise.all([get('k'), get('k')])).toEqual([{ id: 'k' }, { id: 'k' }]);
  clock.ms = 365 * 86_400_000;
  expect(await get('k')).toEqual({ id: 'k' });
  expect(loads).toEqual(['k']);
});

test('with a greatest age, a key is looked up again at that age, counted from the start of its lookup', async () => {
  const { clock, cache, loads, get } = create(1000);
  const slow = startLookup(cache, 'slow');
  await get('k');
  clock.ms = 999;
  await get('k');
  expect(loads).toEqual(['k']);
  slow.end({ id: 'slow' });
  await slow.found;
  clock.ms = 1000;
  expect(await get('k', 'changed')).toEqual({ id: 'changed' });
  expect(await get('slow', 'changed')).toEqual({ id: 'changed' });
});

test('a key that was found is known, however old or changed its account is, until a lookup finds nothing', async () => {
  const { clock, cache, get } = create(1000);
  expect(cache.hasFound('k')).toBe(false);
  await get('k');
  await get('other');
  clock.ms = 5000;
  expect(cache.hasFound('k')).toBe(true);
  await get('k', null);
  expect(cache.hasFound('k')).toBe(false);
  cache.evict(['other']);
  cache.clear();
  expect(cache.hasFound('other')).toBe(true);
  expect(await get('other', 'changed')).toEqual({ id: 'changed' });
});

test('a change of an account evicts its keys and no key of another account', async () => {
  const { cache, loads, get } = create();
  await get('k1', 'a');
  await get('k2', 'b');
  cache.evict(['a']);
  expect(await get('k1', null)).toBeNull();
  expect(await get('k2', 'wrong')).toEqual({ id: 'b' });
  expect(loads).toEqual(['k1', 'k2', 'k1']);
});

test('a new account evicts unknown keys', async () => {
  const { cache, get } = create();
  await get('k', null);
  cache.evict(['a']);
  expect(await get('k', 'a')).toEqual({ id: 'a' });
});

test.each(['evict', 'clear'] as const)(
  'what a lookup finds that runs during a change is not cached, and later calls do not wait for it (%s)',
  async (how) => {
    const { cache, loads, get } = create();
    const old = startLookup(cache, 'k');
    if (how === 'evict') cache.evict(['a']);
    else cache.clear();
    expect(await get('k', 'new')).toEqual({ id: 'new' });
    old.end({ id: 'old' });
    expect(await old.found).toEqual({ id: 'old' });
    expect(await get('k', 'newer')).toEqual({ id: 'new' });
    expect(loads).toEqual(['k']);
  },
);

test('after a change with an unknown result every key is looked up again', async () => {
  const { cache, get } = create();
  await get('k1');
  await get('k2', null);
  cache.clear();
  expect(await get('k1', 'changed')).toEqual({ id: 'changed' });
  expect(await get('k2', 'changed')).toEqual({ id: 'changed' });
});

test('a failed lookup is retried by the next call', async () => {
  const { cache, get } = create();
  await expect(cache.get('k', () => Promise.reject(new Error('database')))).rejects.toThrow('database');
  expect(await get('k')).toEqual({ id: 'k' });
});

test('the cache is bounded: the keys whose last call is the longest ago are evicted', async () => {
  const { loads, get } = create();
  for (let key = 0; key < 10_000; key++) await get(`k${key}`);
  await get('k0');
  await get('k10000');
  await get('k0');
  expect(loads).toHaveLength(10_001);
  await get('k1');
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
