import fc from 'fast-check';
import { buildAuditInput, searched } from '../../../../test/build-audit-input.ts';
import { createFormOf } from '../../text/form-of.ts';
import type { AuditInput, TermScore } from '../audit-input.ts';
import { findFormRanks } from './form-ranks.ts';
import { createTermFits } from './term-fit.ts';

const appId = 'com.example.lumen';
const stranger = { app_id: 'other 0', developer_name: 'Somebody Else' };
const ownBrand = { app_id: 'com.example.sibling', developer_name: 'QUILLFOOT works' };

type Given = { rank?: number | null; size?: number; brand?: TermScore['brand'] };

/** A searched term with a page of this many apps, on which the app has this rank. */
function on({ rank = null, size = 40, brand = null }: Given = {}): TermScore {
  const ids = Array.from({ length: size }, (_, at) => (at + 1 === rank ? appId : `other ${at}`));
  const named = size < 5 ? { brand: null, suspected_brand: brand } : { brand };
  return { ...searched(50, 50), ...named, page: { app_ids: ids, genres: null } };
}

type Changes = Partial<Pick<AuditInput, 'app_id' | 'live_description' | 'form_ranks' | 'neighbors'>>;

function fitsOf(terms: Record<string, TermScore>, changes: Changes = {}) {
  return createTermFits({ ...buildAuditInput('ITUNES', { terms }), ...changes }).fitOf;
}

describe('forms', () => {
  test('share the best rank among the terms of the audit, its candidates and kept pages', () => {
    const formOf = createFormOf('en-US');
    const given = buildAuditInput('ITUNES', {
      terms: { habit: on(), habits: on({ rank: 8 }), tasks: on({ rank: 6 }), zebra: on() },
    });
    const input = { ...given, candidates: new Map([['goals', on({ rank: 5 })]]) };
    const kept = new Map([
      ['task', 2],
      ['routine', 40],
    ]);
    const ranks = findFormRanks(input, kept, appId, formOf);
    expect(Object.fromEntries(ranks)).toEqual({ habit: 8, task: 2, goal: 5, routine: 40 });
    const { fitOf } = createTermFits({ ...input, form_ranks: ranks });
    expect(['habit', 'habits', 'tasks', 'zebra'].map((name) => fitOf(name).rank)).toEqual([8, 8, 2, null]);
  });

  test('that only a draft has share nothing: its page counts for the term itself', () => {
    const fitOf = fitsOf({ habit: on(), habits: on({ rank: 3 }) }, { form_ranks: new Map([['habit', 30]]) });
    expect(fitOf('habit').rank).toBe(30);
    expect(fitOf('habits')).toMatchObject({ rank: 3, gain: 1 });
  });
});

test('a term whose page is not read counts in full, and nothing is known of it', () => {
  const unread: TermScore = { ...on({ rank: 1 }), search_status: 'pending' };
  expect(fitsOf({ habit: unread })('habit')).toEqual({
    relevance: null,
    parts: null,
    gain: 1,
    rank: null,
    brandRole: null,
  });
});

describe('the brand of another developer', () => {
  const rival = (rank: number | null, more: Changes = {}) =>
    fitsOf(
      { streakly: on({ rank, brand: stranger }) },
      { live_description: 'streakly', ...more },
    )('streakly');

  test('has gain 0, unless the app ranks third or better for one of its forms', () => {
    expect(rival(4)).toMatchObject({ gain: 0, brandRole: 'rival' });
    expect(rival(null)).toMatchObject({ gain: 0, brandRole: 'rival' });
    expect(rival(3)).toMatchObject({ gain: 1, brandRole: 'rival' });
    expect(rival(null, { form_ranks: new Map([['streakly', 3]]) })).toMatchObject({ gain: 1 });
  });

  test('makes a phrase of nothing but such brands one, too', () => {
    const terms = {
      streakly: on({ brand: stranger }),
      foldling: on({ brand: stranger }),
      'streakly and foldling': on(),
      'streakly habits': on(),
      habits: on(),
    };
    const fitOf = fitsOf(terms, { live_description: 'streakly and foldling habits' });
    expect(fitOf('streakly and foldling')).toMatchObject({ gain: 0, brandRole: 'rival' });
    expect(fitOf('streakly habits')).toMatchObject({ gain: 1, brandRole: null });
    const holding = fitsOf({ ...terms, 'streakly and foldling': on({ rank: 3 }) });
    expect(holding('streakly and foldling')).toMatchObject({ gain: 1, brandRole: 'rival' });
  });

  test('takes a phrase of it and stop words with it', () => {
    const terms = { streakly: on({ brand: stranger }), 'for streakly': on() };
    expect(fitsOf(terms, { live_description: 'for streakly' })('for streakly')).toMatchObject({
      gain: 0,
      brandRole: 'rival',
    });
  });

  test('is only suspected on a page of fewer than five results: its rank and the description count', () => {
    const neighbors = new Map(Array.from({ length: 4 }, (_, at) => [`other ${at}`, null] as const));
    const thin = on({ size: 4, brand: stranger });
    const fit = fitsOf({ streakly: thin }, { neighbors })('streakly');
    expect(fit).toMatchObject({ gain: 0, brandRole: 'suspected', parts: { near: null, kind: null } });
    expect(fitsOf({ streakly: thin }, { live_description: 'streakly' })('streakly').gain).toBe(1);
    expect(fitsOf({ streakly: on({ size: 5, brand: stranger }) })('streakly').brandRole).toBe('rival');
  });

  test('is unknown while a developer is', () => {
    const fit = fitsOf({ streakly: on({ brand: { ...stranger, developer_name: null } }) })('streakly');
    expect(fit.brandRole).toBeNull();
  });
});

test('a brand is the app’s own when the first app has its developer, also on a thin page', () => {
  for (const size of [2, 40])
    expect(fitsOf({ lumen: on({ size, brand: ownBrand }) })('lumen').brandRole).toBe('own');
  expect(fitsOf({ lumen: on({ brand: { app_id: appId, developer_name: null } }) })('lumen').brandRole).toBe(
    'own',
  );
});

test('without an app every term counts in full, apart from brands', () => {
  const terms = {
    habit: on(),
    streakly: on({ brand: stranger }),
    streakly2: on({ size: 3, brand: stranger }),
  };
  const fitOf = fitsOf(terms, { app_id: null });
  expect(fitOf('habit')).toMatchObject({ gain: 1, relevance: null });
  expect(fitOf('streakly')).toMatchObject({ gain: 0, relevance: null });
  expect(fitOf('streakly2')).toMatchObject({ gain: 1, brandRole: 'suspected' });
});

test.each(['ITUNES', 'GPLAY'] as const)(
  '%s: what the draft writes into its description changes no relevance, whatever pages its words have',
  (store) => {
    const texts = fc.array(fc.constantFrom('habit', 'habits', 'zebra', 'zebras', 'tracker', 'free'), {
      maxLength: 80,
    });
    const terms = { habit: on(), zebra: on({ rank: 30 }), 'habit tracker': on() };
    const further = {
      habits: on({ rank: 1 }),
      zebras: on({ rank: 2 }),
      tracker: on({ rank: 3 }),
      free: on(),
    };
    fc.assert(
      fc.property(texts, texts, (drafted, live) => {
        const fitsWith = (description: string) => {
          const has = ([word]: [string, TermScore]) => description.split(' ').includes(word);
          const input = buildAuditInput(store, {
            terms: { ...terms, ...Object.fromEntries(Object.entries(further).filter(has)) },
            texts: { title: 'habit tracker', subtitle: 'zebra', description },
            live_description: live.join(' '),
            neighbors: new Map(),
          });
          const { fitOf } = createTermFits(input);
          return Object.keys(terms).map(fitOf);
        };
        expect(fitsWith(drafted.join(' '))).toEqual(fitsWith(''));
      }),
    );
  },
);
