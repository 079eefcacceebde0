import { AppError } from '@shelfwise/runtime/errors';
import fc from 'fast-check';
import { createFakeClock } from '../../test/fake-clock.ts';
import { createMemoryDoubtedStorefronts, createMemorySearchTerms } from '../../test/memory-empty-pages.ts';
import { createScriptedSource } from '../../test/scripted-source.ts';
import { forDailyRun, urgent } from '../budget/urgency.ts';
import { createAnswerCache } from '../cache/answer-cache.ts';
import { createLiveSource } from '../sources/live-source.ts';
import { createStorefrontDoubt } from './storefront-doubt.ts';

const us = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;
const fr = { ...us, country: 'FR' } as const;
const minute = 60_000;
const hour = 60 * minute;
const unproven = { code: 'STORE_FETCH_FAILED' };

/** A live source without budgets. `sizeOf` says how many results the store shows; by default every term has 30. */
function start(at?: string) {
  const clock = createFakeClock(at);
  const store = createScriptedSource(clock.now);
  const state = { sizeOf: (_term: string): number => 30, suggested: (_term: string): boolean => false };
  store.answers.terms = (prefix) => {
    if (prefix === 'a') return ['app'];
    return state.suggested(prefix) ? [`${prefix} app`] : [];
  };
  const searched: string[] = [];
  const { source: scripted } = store;
  const stores = {
    ...scripted,
    search: (...[storefront, term, options]: Parameters<typeof scripted.search>) => {
      searched.push(term);
      store.answers.rows = state.sizeOf(term);
      return scripted.search(storefront, term, options);
    },
    chart: (...args: Parameters<typeof scripted.chart>) => {
      store.answers.rows = 5;
      return scripted.chart(...args);
    },
  };
  const storefronts = createMemoryDoubtedStorefronts();
  const terms = createMemorySearchTerms();
  const doubt = createStorefrontDoubt({ storefronts, now: clock.now });
  const outcomes: string[] = [];
  const source = createLiveSource({
    stores: { ITUNES: stores, GPLAY: stores },
    cache: createAnswerCache({ maxBytes: 64 * 1024 * 1024, now: clock.now }),
    now: clock.now,
    onCacheLookup: () => {},
    emptyPages: { terms, doubt, clock, onEmptyPage: (_, outcome) => outcomes.push(outcome) },
  });
  /** The number of results; `unproven` when the page is not believed. */
  async function search(
    term: string,
    given: { isDaily?: boolean; hadResults?: boolean } = {},
    storefront = us,
  ) {
    const urgency = given.isDaily ? forDailyRun : urgent;
    const { hadResults = null } = given;
    const signal = new AbortController().signal;
    try {
      const page = await source.search(storefront, term, {
        signal,
        urgency,
        limit: 100,
        onDay: null,
        hadResults,
      });
      return page.apps.length;
    } catch (error) {
      expect(error).toMatchObject(unproven);
      return 'unproven';
    }
  }
  const isSuspect = async (storefront = us) => (await doubt.read(storefront))?.is_suspect ?? false;
  const isPageSuspect = async (term: string) => {
    const { signal } = new AbortController();
    return (await source.search(us, term, { signal, urgency: urgent, limit: 100, onDay: null })).isSuspect;
  };
  return { clock, state, source, store, searched, search, isSuspect, isPageSuspect, outcomes, doubt };
}

/** Terms that begin with "no" have no results. */
const withoutNo = (term: string) => (term.startsWith('no') ? 0 : 30);

/** A store without such terms that has answered for "habits", which becomes the canary. */
async function startWithHabits(at?: string) {
  const system = start(at);
  system.state.sizeOf = withoutNo;
  await system.search('habits');
  return system;
}

test('a page with results costs no other call, and no query about its storefront', async () => {
  const { search, searched, doubt } = start();
  const asked = jest.spyOn(doubt.storefronts, 'find');
  expect(await search('habits')).toBe(30);
  expect(searched).toEqual(['habits']);
  expect(asked).not.toHaveBeenCalled();
});

describe('an empty page of a term that is not suggested', () => {
  test('and has no last page is believed at the second look, ten minutes after the first', async () => {
    const { search, searched, clock } = await startWithHabits();
    expect(await search('none')).toBe('unproven');
    expect(searched).toEqual(['habits', 'none', 'habits']);
    await clock.advance(9 * minute);
    expect(await search('none')).toBe('unproven');
    await clock.advance(minute);
    expect(await search('none')).toBe(0);
  });

  test('and whose last page was empty is believed at once, after a canary', async () => {
    const { search, searched } = await startWithHabits();
    expect(await search('none', { hadResults: false })).toBe(0);
    expect(searched).toEqual(['habits', 'none', 'habits']);
  });

  test('and which was believed yesterday is believed after one look', async () => {
    const { search, searched, clock } = await startWithHabits();
    await search('none');
    await clock.advance(10 * minute);
    expect(await search('none')).toBe(0);
    await clock.advance(24 * hour);
    searched.length = 0;
    expect(await search('none')).toBe(0);
    expect(searched).toEqual(['none', 'habits']);
  });

  test('and which is seldom searched costs a call for suggestions once a week at most', async () => {
    const { search, clock, store } = await startWithHabits();
    await search('none');
    await clock.advance(10 * minute);
    const suggestedOn: number[] = [];
    for (let day = 0; day <= 25; day += 5) {
      store.requested.length = 0;
      await search('habits');
      expect(await search('none')).toBe(0);
      if (store.requested.includes('suggest none')) suggestedOn.push(day);
      await clock.advance(5 * 24 * hour);
    }
    expect(suggestedOn).toEqual([0, 10, 20]);
  });

  test('had results before: it is believed after three looks on two days', async () => {
    const { search, state, clock } = start();
    await search('notes');
    await search('habits');
    state.sizeOf = withoutNo;
    await clock.advance(12 * hour);
    for (let look = 0; look < 4; look++) {
      expect(await search('notes')).toBe('unproven');
      await clock.advance(2 * hour);
    }
    await clock.advance(17 * hour);
    expect(await search('notes')).toBe(0);
  });

  test('had results before as its caller knows: the same', async () => {
    const { search, clock } = await startWithHabits();
    for (let look = 0; look < 3; look++) {
      expect(await search('none', { hadResults: true })).toBe('unproven');
      await clock.advance(hour);
    }
  });
});

test('a term that is suggested is believed after three looks on two days, even without a last page', async () => {
  const { search, state, clock } = await startWithHabits('2026-11-21T20:00:00Z');
  state.suggested = () => true;
  expect(await search('none')).toBe('unproven');
  await clock.advance(hour);
  expect(await search('none')).toBe('unproven');
  await clock.advance(4 * hour);
  expect(await search('none')).toBe(0);
});

test('suggestions that are not known count as suggested', async () => {
  const { search, clock, store } = await startWithHabits();
  store.answers.terms = () => null;
  expect(await search('none', { hadResults: false })).toBe('unproven');
  await clock.advance(hour);
  expect(await search('none', { hadResults: false })).toBe('unproven');
});

test('a believed empty page is read again an hour later, and may turn out to have results', async () => {
  const { search, searched, state, clock } = await startWithHabits();
  expect(await search('none', { hadResults: false })).toBe(0);
  searched.length = 0;
  await clock.advance(hour - 1);
  expect(await search('none', { hadResults: false })).toBe(0);
  expect(searched).toEqual([]);
  state.sizeOf = () => 30;
  await clock.advance(1);
  expect(await search('none', { hadResults: false })).toBe(30);
});

describe('the canary', () => {
  test('of a storefront without a known term is the name of the first free app', async () => {
    const { search, searched, state } = start();
    state.sizeOf = withoutNo;
    expect(await search('none', { hadResults: false })).toBe(0);
    expect(searched).toEqual(['none', 'App 0']);
  });

  test('answers for all looks that wait for it', async () => {
    const { search, searched } = await startWithHabits();
    searched.length = 0;
    const sizes = await Promise.all(
      ['no 1', 'no 2', 'no 3'].map((term) => search(term, { hadResults: false })),
    );
    expect(sizes).toEqual([0, 0, 0]);
    expect(searched.filter((term) => term === 'habits')).toHaveLength(1);
  });

  test('is a term with ten results or more, if there is one: a page with fewer may have become empty', async () => {
    const { search, searched, state, clock, isSuspect } = start();
    state.sizeOf = (term) => (term === 'brand' ? 9 : 30);
    await search('habits');
    await clock.advance(minute);
    await search('brand');
    state.sizeOf = (term) => (term === 'habits' ? 30 : 0);
    searched.length = 0;
    expect(await search('none', { hadResults: false })).toBe(0);
    expect(searched).toEqual(['none', 'habits']);
    expect(await isSuspect()).toBe(false);
  });

  test('is a term with fewer results when there is no other', async () => {
    const { search, searched, state } = start();
    state.sizeOf = (term) => (term === 'brand' ? 1 : 0);
    await search('brand');
    await search('none');
    expect(searched).toEqual(['brand', 'none', 'brand']);
  });

  test('is no smaller page that became empty, as soon as that is known: its storefront is well again in minutes', async () => {
    const { search, searched, state, clock, isSuspect } = start('2026-03-10T12:00:00.000Z');
    state.sizeOf = (term) => (term === 'brand' ? 2 : 30);
    await search('brand');
    await clock.advance(20 * hour);
    state.sizeOf = (term) => (term === 'brand' ? 0 : withoutNo(term));
    expect(await search('none')).toBe('unproven');
    expect(await isSuspect()).toBe(true);
    await clock.advance(5 * minute);
    expect(await isSuspect()).toBe(false);
    expect(await search('none')).toBe('unproven');
    searched.length = 0;
    await clock.advance(10 * minute);
    expect(await search('none')).toBe(0);
    expect(searched).toEqual(['none', 'App 0']);
  });

  test('is that page again once it has results, and while no chart can be read', async () => {
    const { search, searched, state, clock, isSuspect, store } = start();
    state.sizeOf = () => 2;
    await search('brand');
    const { chart } = store.source;
    store.source.chart = async () => Promise.reject(new AppError('STORE_FETCH_FAILED', 'no chart'));
    state.sizeOf = () => 0;
    await search('none');
    await clock.advance(2 * minute);
    expect(new Set(searched)).toEqual(new Set(['brand', 'none']));
    state.sizeOf = () => 2;
    await clock.advance(5 * minute);
    expect(await isSuspect()).toBe(false);
    store.source.chart = chart;
    state.sizeOf = (term) => (term === 'brand' ? 2 : 0);
    searched.length = 0;
    await search('none');
    expect(searched).toEqual(['none', 'brand']);
  });

  test('is never a term of the day before yesterday', async () => {
    const { search, searched, state, clock } = start();
    await search('habits');
    state.sizeOf = withoutNo;
    await clock.advance(48 * hour);
    searched.length = 0;
    await search('none', { hadResults: false });
    expect(searched).toEqual(['none', 'App 0']);
  });
});

describe('a suspect storefront', () => {
  test('is one whose canary is empty: no empty page is believed there, and no other call is made for one', async () => {
    const { search, searched, state, isSuspect } = start();
    await search('habits');
    state.sizeOf = () => 0;
    expect(await search('none', { hadResults: false })).toBe('unproven');
    expect(await isSuspect()).toBe(true);
    searched.length = 0;
    expect(await search('other', { hadResults: false })).toBe('unproven');
    expect(searched).toEqual(['other']);
  });

  test('is one whose empty page another look contradicts', async () => {
    const { search, state, clock, isSuspect } = start();
    await search('habits');
    state.sizeOf = withoutNo;
    await search('notes');
    expect(await isSuspect()).toBe(false);
    state.sizeOf = () => 30;
    await clock.advance(10 * minute);
    expect(await search('notes')).toBe(30);
    expect(await isSuspect()).toBe(true);
  });

  test('is one where five pages shrink by two thirds within an hour', async () => {
    const { search, state, clock, isSuspect, isPageSuspect } = start();
    const words = ['a', 'b', 'c', 'd', 'e'];
    for (const word of words) await search(word);
    await clock.advance(24 * hour);
    state.sizeOf = () => 10;
    for (const word of words.slice(0, 4)) expect(await isPageSuspect(word)).toBe(false);
    expect(await isSuspect()).toBe(false);
    expect(await isPageSuspect('e')).toBe(true);
    expect(await isSuspect()).toBe(true);
  });

  test('is not one where the pages shrink over more than an hour', async () => {
    const { search, state, clock, isSuspect } = start();
    const words = ['a', 'b', 'c', 'd', 'e'];
    for (const word of words) await search(word);
    await clock.advance(24 * hour);
    state.sizeOf = () => 10;
    for (const word of words) {
      await search(word);
      await clock.advance(15 * minute);
    }
    expect(await isSuspect()).toBe(false);
  });

  test('marks the pages that are read there, also as they come from the cache; once it is healthy, no new one', async () => {
    const { search, isPageSuspect, state, clock } = start();
    expect(await isPageSuspect('habits')).toBe(false);
    state.sizeOf = () => 0;
    await search('none');
    state.sizeOf = () => 30;
    expect(await isPageSuspect('notes')).toBe(true);
    expect(await isPageSuspect('habits')).toBe(false);
    await clock.advance(10 * minute);
    expect(await isPageSuspect('planner')).toBe(false);
    expect(await isPageSuspect('notes')).toBe(true);
    await clock.advance(hour);
    expect(await isPageSuspect('notes')).toBe(false);
  });

  test('says nothing about other storefronts', async () => {
    const { search, state, isSuspect } = start();
    await search('habits');
    await search('habits', {}, fr as never);
    state.sizeOf = () => 0;
    await search('none');
    expect([await isSuspect(), await isSuspect(fr as never)]).toEqual([true, false]);
  });

  test('is healthy within five minutes after the store, without any request', async () => {
    const { search, state, clock, isSuspect, searched } = start();
    for (const word of ['a', 'b', 'c']) await search(word);
    state.sizeOf = () => 0;
    await search('none');
    await clock.advance(2 * hour);
    expect(await isSuspect()).toBe(true);
    state.sizeOf = () => 30;
    await clock.advance(3 * minute);
    expect(await isSuspect()).toBe(true);
    await clock.advance(2 * minute);
    expect(await isSuspect()).toBe(false);
    searched.length = 0;
    await clock.advance(hour);
    expect(searched).toEqual([]);
  });

  describe('whose store is well again, but', () => {
    /** Ten minutes of a store that shows empty pages only. */
    async function fail({ state, search, clock }: ReturnType<typeof start>) {
      const { sizeOf } = state;
      state.sizeOf = () => 0;
      await search('nothing');
      await clock.advance(10 * minute);
      state.sizeOf = sizeOf;
    }

    test('a term with few results has lost them, is healthy soon, although users look at the term', async () => {
      const storefront = start();
      const { search, state, clock, isSuspect } = storefront;
      state.sizeOf = (term) => (term === 'brand' ? 1 : 30);
      for (const term of ['brand', 'habits', 'planner']) await search(term);
      await fail(storefront);
      expect(await isSuspect()).toBe(true);
      state.sizeOf = (term) => (term === 'brand' ? 0 : 30);
      for (let passed = 0; passed < 5; passed++) {
        await search('brand');
        await clock.advance(minute);
      }
      expect(await isSuspect()).toBe(false);
    });

    test('a page has shrunk for good, is healthy soon, although the page is its canary, too', async () => {
      const storefront = start();
      const { search, state, clock, isSuspect } = storefront;
      const words = ['a', 'b', 'c', 'd'];
      for (const word of words) await search(word);
      await clock.advance(24 * hour);
      for (const word of words.slice(1)) await search(word);
      await fail(storefront);
      state.sizeOf = (term) => (term === 'a' ? 10 : 30);
      await search('a');
      await clock.advance(10 * minute);
      expect(await isSuspect()).toBe(false);
    });
  });

  test('is not called more often than four times a minute by its probes', async () => {
    const { search, state, clock, searched } = start();
    await search('habits');
    state.sizeOf = () => 0;
    await search('none');
    searched.length = 0;
    await clock.advance(hour);
    expect(searched.length).toBeLessThanOrEqual(240);
  });

  test('drops the empty pages that were believed before', async () => {
    const { search, state } = await startWithHabits();
    expect(await search('none', { hadResults: false })).toBe(0);
    state.sizeOf = () => 0;
    await search('nothing', { hadResults: false });
    expect(await search('none', { hadResults: false })).toBe('unproven');
  });

  test('starts the looks again: those from before a sign do not count', async () => {
    const { search, state, clock, isSuspect } = await startWithHabits();
    await search('none');
    state.sizeOf = () => 0;
    await clock.advance(minute);
    await search('nothing');
    state.sizeOf = withoutNo;
    await clock.advance(10 * minute);
    expect(await isSuspect()).toBe(false);
    expect(await search('none')).toBe('unproven');
    await clock.advance(10 * minute);
    expect(await search('none')).toBe(0);
  });
});

test('a term that is not believed is not searched again within a minute for a user, and for hours by the daily run', async () => {
  const { search, searched, state, clock } = start('2026-11-21T01:00:00Z');
  await search('notes');
  await search('habits');
  state.sizeOf = withoutNo;
  await clock.advance(24 * hour);
  searched.length = 0;
  for (let passed = 0; passed < 20 * 60; passed += 10) {
    expect(await search('notes', { isDaily: true })).toBe('unproven');
    await clock.advance(10 * minute);
  }
  expect(searched.filter((term) => term === 'notes').length).toBeLessThanOrEqual(9);
  expect(await search('notes')).toBe('unproven');
  searched.length = 0;
  expect(await search('notes')).toBe('unproven');
  expect(searched).toEqual([]);
});

test('the daily run looks at a term again after ten minutes, and from then on every three hours', async () => {
  const { search, searched, state, clock } = start();
  await search('notes');
  await search('habits');
  state.sizeOf = withoutNo;
  await clock.advance(12 * hour);
  const lookedAfterMinutes: number[] = [];
  for (let passed = 0; passed < 400; passed += 10) {
    searched.length = 0;
    expect(await search('notes', { isDaily: true })).toBe('unproven');
    if (searched.includes('notes')) lookedAfterMinutes.push(passed);
    await clock.advance(10 * minute);
  }
  expect(lookedAfterMinutes).toEqual([0, 10, 190, 370]);
});

test('whatever the faults, a term with results is never empty, and one without is believed in the end', async () => {
  const anyHour = fc.record({
    isBroken: fc.boolean(),
    terms: fc.array(fc.nat({ max: 9 }), { maxLength: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(anyHour, { maxLength: 48 }), async (hours) => {
      const { search, state, clock, source } = start('2026-11-21T00:00:00Z');
      for (let index = 0; index < 10; index += 2) await search(`term ${index}`);
      const trueSize = (term: string) => (/[13579]$/.test(term) ? 0 : 30);
      for (const { isBroken, terms } of hours) {
        state.sizeOf = isBroken ? () => 0 : trueSize;
        for (const index of terms) {
          const size = await search(`term ${index}`);
          if (size !== 'unproven') expect(size).toBe(trueSize(`term ${index}`));
          await clock.advance(5 * minute);
        }
        await clock.advance(hour - 5 * minute * terms.length);
      }
      state.sizeOf = trueSize;
      await clock.advance(hour);
      await search('term 1');
      await clock.advance(hour);
      expect(await search('term 1')).toBe(0);
      expect(await search('term 2')).toBe(30);
      source.stop();
    }),
    { numRuns: 30 },
  );
});
