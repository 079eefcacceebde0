import { AppError } from '@shelfwise/runtime/errors';
import { createFakeClock } from '../../test/fake-clock.ts';
import { createScriptedSource } from '../../test/scripted-source.ts';
import { urgent } from '../budget/urgency.ts';
import { StoreFailure, storeFetchFailed } from '../store-health/store-failure.ts';
import { createVerifiedSuggest } from './verified-suggestions.ts';

const us = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;
const jp = { store: 'ITUNES', country: 'JP', lang: 'ja-JP' } as const;
const options = (signal = new AbortController().signal) => ({ signal, urgency: urgent, isThorough: false });

function start(has: (prefix: string) => boolean) {
  const clock = createFakeClock();
  const store = createScriptedSource(clock.now);
  const state = { has };
  store.answers.terms = (prefix) => (state.has(prefix) ? [`${prefix} app`] : []);
  const suggest = createVerifiedSuggest({
    stores: { ITUNES: store.source, GPLAY: store.source },
    now: clock.now,
  });
  return {
    ...store,
    state,
    clock,
    suggest: (prefix: string, storefront: typeof us | typeof jp = us, signal?: AbortSignal) =>
      suggest(storefront, prefix, options(signal)),
    suggestThoroughly: (prefix: string) => suggest(us, prefix, { ...options(), isThorough: true }),
  };
}

const fails = (kind: 'throttled' | 'circuit_open' | 'blocked', cause?: unknown) =>
  storeFetchFailed('ITUNES', new StoreFailure(kind, `failed (${kind})`, { cause }));

test('suggestions are returned without a canary', async () => {
  const { suggest, requested } = start(() => true);
  expect((await suggest('hab')).terms).toEqual(['hab app']);
  expect(requested).toEqual(['suggest hab']);
});

test('an empty list is returned if a canary that is called afterwards has suggestions', async () => {
  const { suggest, requested } = start((prefix) => prefix === 'a');
  expect((await suggest('xyz')).terms).toEqual([]);
  expect(requested).toEqual(['suggest xyz', 'suggest a']);
});

test('when the canaries have no suggestions either, the terms are null, not an empty list', async () => {
  const { suggest } = start(() => false);
  expect((await suggest('xyz')).terms).toBeNull();
  expect((await suggest('a')).terms).toBeNull();
});

test('a prefix for which the store cannot be called needs no canary', async () => {
  const { suggest, requested, answers } = start(() => false);
  answers.terms = () => null;
  expect((await suggest('"')).terms).toBeNull();
  expect(requested).toEqual(['suggest "']);
});

test('the canary is a prefix of the same storefront that had suggestions; "a" replaces one that has none any more', async () => {
  const { suggest, requested, state, clock } = start(() => true);
  await suggest('hab');
  state.has = (prefix) => prefix === 'hab';
  expect((await suggest('xyz')).terms).toEqual([]);
  state.has = (prefix) => prefix === 'a';
  expect((await suggest('xyz')).terms).toBeNull();
  await clock.advance(60_000);
  expect((await suggest('xyz')).terms).toEqual([]);
  expect(requested).toEqual([
    ...['suggest hab', 'suggest xyz', 'suggest hab', 'suggest xyz', 'suggest hab', 'suggest a'],
    ...['suggest xyz', 'suggest a'],
  ]);
});

describe('a thorough read', () => {
  /** Each call of a prefix takes the next letter: `-` has no suggestions, anything else has some; the last one stays. */
  function startScripted(scripts: Record<string, string>) {
    const calls = new Map<string, number>();
    return start((prefix) => {
      const script = scripts[prefix] ?? '+';
      const at = calls.get(prefix) ?? 0;
      calls.set(prefix, at + 1);
      return script[Math.min(at, script.length - 1)] !== '-';
    });
  }
  const callsOf = (prefix: string, requested: readonly string[]) =>
    requested.filter((each) => each === `suggest ${prefix}`).length;

  test('believes an empty list after three looks, each followed by a canary', async () => {
    const { suggestThoroughly, requested } = startScripted({ xyz: '-' });
    expect(await suggestThoroughly('xyz')).toMatchObject({ terms: [], isUncertain: true });
    expect(requested).toEqual(Array(3).fill(['suggest xyz', 'suggest a']).flat());
  });

  test.each([
    ['second', '-+', 2],
    ['third', '--+', 3],
  ])('returns the suggestions of the %s look', async (_, script, looks) => {
    const { suggestThoroughly, requested } = startScripted({ photo: script });
    expect(await suggestThoroughly('photo')).toMatchObject({ terms: ['photo app'], isUncertain: false });
    expect(callsOf('photo', requested)).toBe(looks);
  });

  test('after a canary without suggestions it believes no empty list, and goes on looking without a canary', async () => {
    const { suggest, suggestThoroughly, requested } = startScripted({ hab: '+-', xyz: '-', photo: '----+' });
    await suggest('hab');
    expect((await suggestThoroughly('photo')).terms).toEqual(['photo app']);
    expect([callsOf('photo', requested), callsOf('hab', requested), callsOf('a', requested)]).toEqual([
      5, 2, 1,
    ]);
  });

  test('gives up after five looks: the terms are null, not an empty list', async () => {
    const { suggest, suggestThoroughly, requested } = startScripted({ hab: '+-', xyz: '-' });
    await suggest('hab');
    expect((await suggestThoroughly('xyz')).terms).toBeNull();
    expect(callsOf('xyz', requested)).toBe(5);
  });

  test('for a minute after a look contradicted an empty list, it needs five looks, and others believe none', async () => {
    const { suggest, suggestThoroughly, requested, clock } = startScripted({ photo: '-+', xyz: '-' });
    await suggestThoroughly('photo');
    await clock.advance(59_999);
    expect((await suggest('xyz')).terms).toBeNull();
    requested.length = 0;
    expect((await suggestThoroughly('xyz')).terms).toEqual([]);
    expect(callsOf('xyz', requested)).toBe(5);
    await clock.advance(1);
    requested.length = 0;
    expect((await suggest('xyz')).terms).toEqual([]);
    expect((await suggestThoroughly('xyz')).terms).toEqual([]);
    expect(callsOf('xyz', requested)).toBe(4);
  });

  test.each([
    { rate: 0.3, maxEmpty: 4, maxUnknown: 40, maxCalls: 2.5 },
    { rate: 0.5, maxEmpty: 20, maxUnknown: 800, maxCalls: 4 },
  ])(
    'of 4,000 lists of a store that throttles a share of $rate of the calls, $maxEmpty at most are wrongly empty and $maxUnknown unknown',
    async ({ rate, maxEmpty, maxUnknown, maxCalls }) => {
      const random = createRandom(7);
      const lists = { empty: 0, unknown: 0, read: 0 };
      let calls = 0;
      for (let run = 0; run < 100; run++) {
        const { suggestThoroughly, requested, clock } = start(() => random() >= rate);
        for (let call = 0; call < 40; call++) {
          const { terms } = await suggestThoroughly(`prefix ${call}`);
          lists[terms === null ? 'unknown' : terms.length === 0 ? 'empty' : 'read']++;
          await clock.advance(1000);
        }
        calls += requested.length;
      }
      expect(lists.empty).toBeLessThanOrEqual(maxEmpty);
      expect(lists.unknown).toBeLessThanOrEqual(maxUnknown);
      expect(calls / 4000).toBeLessThan(maxCalls);
    },
  );

  test('a store that throttles every call is called seven times, then three times after each pause of 15 s', async () => {
    const { suggestThoroughly, requested, clock } = start(() => false);
    for (let second = 0; second < 30; second++) {
      expect((await suggestThoroughly(`prefix ${second}`)).terms).toBeNull();
      await clock.advance(1000);
    }
    expect(requested).toEqual([
      'suggest prefix 0',
      ...Array(6).fill('suggest a'),
      ...['suggest prefix 15', 'suggest a', 'suggest a'],
    ]);
  });
});

test('the suggestions of one storefront say nothing about another', async () => {
  const { suggest, requested, state } = start(() => true);
  await suggest('hab');
  state.has = () => false;
  expect((await suggest('xyz', jp)).terms).toBeNull();
  expect(requested).toEqual(['suggest hab', 'suggest xyz', ...Array(6).fill('suggest a')]);
});

test('empty lists at the same time share one canary', async () => {
  const { suggest, requested } = start((prefix) => prefix === 'a');
  const prefixes = Array.from({ length: 50 }, (_, i) => `x${i}`);
  const answers = await Promise.all(prefixes.map((prefix) => suggest(prefix)));
  expect(answers.every(({ terms }) => terms?.length === 0)).toBe(true);
  expect(requested).toHaveLength(51);
});

test('a canary that started before a request does not count for it', async () => {
  const { suggest, requested, answers, clock } = start((prefix) => prefix === 'a');
  const { terms } = answers;
  let release = () => {};
  const delayed = new Promise<void>((resolve) => {
    release = resolve;
  });
  answers.terms = (prefix) => {
    if (prefix === 'x1') answers.until = delayed;
    return terms(prefix);
  };
  const early = suggest('x1');
  await clock.settle();
  answers.until = Promise.resolve();
  await clock.advance(1000);
  expect((await suggest('x2')).terms).toEqual([]);
  expect(requested).toEqual(['suggest x1', 'suggest a', 'suggest x2', 'suggest a']);
  release();
  expect((await early).terms).toEqual([]);
});

test('a storefront that throttles is not called for 15 s: its suggestions are null without a call', async () => {
  const { suggest, requested, state, clock } = start(() => false);
  await suggest('xyz');
  const { length } = requested;
  state.has = () => true;
  await clock.advance(14_999);
  expect((await suggest('hab')).terms).toBeNull();
  expect(requested).toHaveLength(length);
  await clock.advance(1);
  expect((await suggest('hab')).terms).toEqual(['hab app']);
});

test('the canaries are read three times; only the last call is marked, so that an empty list is a throttled call', async () => {
  const { suggest, requested, options: received, state } = start((prefix) => prefix === 'hab');
  await suggest('hab');
  state.has = () => false;
  await suggest('xyz');
  expect(requested.slice(2)).toEqual(Array(3).fill(['suggest hab', 'suggest a']).flat());
  const marks = received.map((each) => (each as { isCanary?: boolean }).isCanary);
  expect(marks).toEqual([undefined, undefined, ...Array(5).fill(false), true]);
});

test('one answer among the canaries shows that the store throttles only some calls: it is called again at once', async () => {
  const { suggest, answers, options: received } = start(() => false);
  let canaries = 0;
  answers.terms = (prefix) => (prefix === 'hab' || (prefix === 'a' && ++canaries === 5) ? ['an app'] : []);
  expect((await suggest('xyz')).terms).toBeNull();
  expect(canaries).toBe(5);
  expect(received.some((each) => (each as { isCanary?: boolean }).isCanary)).toBe(false);
  expect((await suggest('hab')).terms).toEqual(['an app']);
});

test('after suggestions a storefront that was silent has three rounds of canaries again', async () => {
  const { suggest, requested, state, clock } = start(() => false);
  await suggest('xyz');
  await clock.advance(60_000);
  state.has = (prefix) => prefix === 'hab';
  await suggest('hab');
  state.has = () => false;
  requested.length = 0;
  await suggest('xyz');
  expect(requested).toEqual(['suggest xyz', ...Array(3).fill(['suggest hab', 'suggest a']).flat()]);
});

test('a storefront that never had suggestions, while another one has, does not count as throttled', async () => {
  const { suggest, options: received, state } = start(() => true);
  await suggest('hab');
  state.has = () => false;
  await suggest('xyz', jp);
  const marks = received.map((each) => (each as { isCanary?: boolean }).isCanary);
  expect(marks).toEqual([undefined, undefined, ...Array(6).fill(false)]);
});

describe('a storefront that never had suggestions, when no other one has been read yet,', () => {
  /** Japan has none. A marked call without suggestions is a throttled one. */
  async function ask(hasOthers: boolean) {
    const { source, answers, requested } = createScriptedSource(() => new Date(0));
    const marked: string[] = [];
    const suggest: typeof source.suggest = async (storefront, prefix, given) => {
      answers.terms = () => (hasOthers && storefront.country !== 'JP' ? ['app'] : []);
      const isMarked = (given as { isCanary?: boolean }).isCanary === true;
      if (isMarked) marked.push(`${storefront.country} ${prefix}`);
      const answer = await source.suggest(storefront, prefix, given);
      if (isMarked && answer.terms?.length === 0) throw fails('throttled');
      return answer;
    };
    const stores = { ITUNES: { ...source, suggest }, GPLAY: source };
    const verified = createVerifiedSuggest({ stores, now: () => new Date(0) });
    expect((await verified(jp, 'xyz', options())).terms).toBeNull();
    return { marked, calls: requested.length };
  }

  test('does not count as throttled while one that always has some is answered', async () => {
    expect(await ask(true)).toEqual({ marked: ['US a'], calls: 8 });
  });

  test('is throttled when that has none either', async () => {
    expect(await ask(false)).toEqual({ marked: ['US a'], calls: 8 });
  });
});

test.each(['throttled', 'blocked'] as const)(
  'when the canary fails (%s), the terms are null',
  async (kind) => {
    const { suggest, answers } = start(() => false);
    answers.terms = (prefix) => {
      if (prefix === 'a') throw fails(kind);
      return [];
    };
    expect((await suggest('xyz')).terms).toBeNull();
  },
);

test('suggestions are null while the breaker is open after throttling, and fail while it is open for another reason', async () => {
  const { suggest, answers, clock } = start(() => false);
  answers.terms = () => {
    throw fails('circuit_open', new StoreFailure('throttled', 'has none'));
  };
  expect(await suggest('xyz')).toMatchObject({ readAt: clock.now(), source: 'app-store', terms: null });
  answers.terms = () => {
    throw fails('circuit_open', new StoreFailure('blocked', 'refused'));
  };
  await expect(suggest('xyz')).rejects.toMatchObject({ code: 'STORE_FETCH_FAILED' });
});

test('a lost database and an abort by the caller are errors', async () => {
  const { suggest, answers, clock } = start(() => false);
  answers.terms = (prefix) => {
    if (prefix === 'a') throw new AppError('SERVICE_UNAVAILABLE', 'no database');
    return [];
  };
  await expect(suggest('xyz')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  const leaving = new AbortController();
  answers.terms = () => {
    // After the request has been answered, while the canary is being read.
    answers.until = clock.settle().then(() => leaving.abort(new AppError('STORE_FETCH_FAILED', 'too late')));
    return [];
  };
  await expect(suggest('xyz', us, leaving.signal)).rejects.toThrow('too late');
});

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
