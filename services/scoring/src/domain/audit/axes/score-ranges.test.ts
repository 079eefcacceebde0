import type { Store } from '@shelfwise/facts/stores/store';
import fc from 'fast-check';
import { atLeastRuns } from '../../../../../../testing/at-least-runs.ts';
import { buildAuditInput, searched, unsearched } from '../../../../test/build-audit-input.ts';
import type { AuditInput, TermScore } from '../audit-input.ts';
import { auditListing } from '../audit-listing.ts';
import { listingTerms } from '../words/listing-terms.ts';
import { axisScoresOf } from './axis-scores.ts';
import type { Neighbors } from './neighbors.ts';
import { scoreRanges } from './score-ranges.ts';

const appId = 'com.example.lumen';
const developer = 'Quillfoot Works';
const neighbors: Neighbors = new Map([['neighbor', null]]);

const build: typeof buildAuditInput = (store, changes) => ({ ...buildAuditInput(store, changes), neighbors });
const scoresOf = (input: AuditInput) => axisScoresOf(auditListing(input).report);

describe('one pending phrase', () => {
  const words = { habit: searched(40, 20), tracker: searched(30, 20) };
  const listing = (phrase: Record<string, TermScore>) =>
    build('ITUNES', { texts: { title: 'Habit Tracker' }, terms: { ...words, ...phrase } });
  const outcome = (rank: number | null, brand: TermScore['brand'] = null): TermScore => ({
    ...searched(100, 0, brand),
    page: { app_ids: rank === null ? [] : [appId], genres: [] },
    results: 10,
  });

  test('is worth as much as the best phrase there can be, or costs as much as one that is all of a rival', () => {
    const rival = { app_id: 'other', developer_name: 'Somebody' };
    const worst = scoresOf(listing({ 'habit tracker': outcome(null, rival) }));
    const best = scoresOf(listing({ 'habit tracker': outcome(1) }));
    expect(worst.targeting).toBeLessThan(best.targeting);
    expect(scoreRanges(listing({}))).toEqual({
      global: { min: worst.global, max: best.global },
      coverage: { min: worst.coverage, max: best.coverage },
      targeting: { min: worst.targeting, max: best.targeting },
    });
  });

  test('lends its words the gain that they may lack', () => {
    const page = { app_ids: ['stranger'], genres: [] };
    const strange = { habit: { ...words.habit, page }, tracker: { ...words.tracker, page } };
    const ranges = scoreRanges({ ...listing(strange), live_description: 'Nothing of that.' });
    expect(ranges?.coverage).toEqual({ min: 0, max: scoresOf(listing({})).coverage });
  });

  test('that may be the own brand takes its words under the limit of 100, unless its page has shown that it is none', () => {
    const many = { habit: searched(100, 0), tracker: searched(100, 0), 'habit tracker': unsearched };
    const title = { texts: { title: 'Habit Tracker Planner' } };
    const terms = { ...many, planner: searched(100, 0), 'tracker planner': unsearched };
    const minWith = (phrase: Record<string, TermScore>) =>
      scoreRanges(build('ITUNES', { ...title, terms: { ...terms, ...phrase } }))?.targeting.min ?? 0;
    const partial: TermScore = { ...outcome(null), search_status: 'pending' };
    expect(minWith({})).toBeLessThan(minWith({ 'habit tracker planner': partial }));
  });
});

describe('a word in two spellings, where a phrase that lends it some gain changes which one is credited', () => {
  /** Of thirty apps, the first three are the same one. */
  const page = (first: string, rank: number | null) => {
    const ids = Array.from({ length: 30 }, (_, at) => (at < 3 ? first : `app-${at}`));
    return { app_ids: rank === null ? ids : ids.with(rank - 1, appId), genres: [] };
  };
  const listing = (traffic: number, rank: number | null) => {
    const title = 'Category Categories Tracker';
    const base = build('ITUNES', { texts: { title } });
    const phrase = { ...searched(40, 50), page: page('stranger', rank), results: 30 };
    const read: Record<string, TermScore> = {
      category: { ...searched(traffic, 50), page: page('stranger', null) },
      categories: { ...searched(30, 50), page: page('neighbor', null) },
    };
    const terms = listingTerms(base).flatMap(({ keyword }): [string, TermScore][] => {
      if (keyword !== title.toLowerCase()) return [[keyword, read[keyword] ?? unsearched]];
      return rank === null ? [] : [[keyword, phrase]];
    });
    return { ...base, terms: new Map(terms) };
  };

  test('can lose coverage by its fewer characters: the range has that, too', () => {
    const after = scoresOf(listing(60, 24)).coverage;
    expect(after).toBeLessThan(scoresOf(listing(60, null)).coverage);
    expect(scoreRanges(listing(60, null))?.coverage.min).toBeLessThanOrEqual(after);
  });

  test('can lose coverage even by all of its gain: the range has what it is now', () => {
    const now = scoresOf(listing(31, null)).coverage;
    expect(scoresOf(listing(31, 1)).coverage).toBeLessThan(now);
    expect(scoreRanges(listing(31, null))?.coverage.max).toBeGreaterThanOrEqual(now);
  });
});

test('there is no range where no phrase is pending, also while a word is', () => {
  const texts = { title: 'Habit Tracker' };
  const terms = { habit: searched(40, 20), 'habit tracker': unsearched };
  expect(scoreRanges(build('ITUNES', { texts, terms }))).toBeNull();
});

test('a phrase of partial traffic is pending, even if a title proves that it is searched', () => {
  const texts = { title: 'Habit Tracker' };
  const partial = { ...searched(40, 20), is_partial: true };
  const terms = { habit: searched(40, 20), tracker: searched(30, 20), 'habit tracker': partial };
  expect(scoreRanges(build('ITUNES', { texts, terms }))).not.toBeNull();
});

type Known = {
  brand: 'own' | 'sister' | 'rival' | 'suspected' | null;
  rank: number | null;
  near: number;
  ofGenre: number;
  difficulty: number | null;
};
type Demand = { traffic: number; isSearched: boolean };

const known = fc.record<Known>({
  brand: fc.constantFrom(null, null, null, null, 'own', 'sister', 'rival', 'suspected'),
  rank: fc.option(fc.constantFrom(1, 2, 3, 4, 9, 20, 45, 60, 100), { freq: 2 }),
  near: fc.nat(4),
  ofGenre: fc.nat(10),
  difficulty: fc.option(fc.nat(100), { freq: 8 }),
});
const demand = fc.record<Demand>({
  traffic: fc.oneof(fc.integer({ min: 5, max: 100 }), fc.constant(100)),
  isSearched: fc.constantFrom(true, true, true, false),
});

const brands: Readonly<Record<NonNullable<Known['brand']>, NonNullable<TermScore['brand']>>> = {
  own: { app_id: appId, developer_name: developer },
  sister: { app_id: 'sister', developer_name: developer },
  rival: { app_id: 'rival', developer_name: 'Somebody' },
  suspected: { app_id: 'rival', developer_name: 'Somebody' },
};

function scoreOf(
  { brand, rank, near, ofGenre, difficulty }: Known,
  { traffic, isSearched }: Demand,
): TermScore {
  const ids = Array.from({ length: rank ?? 10 }, (_, index) => (index < near ? 'neighbor' : `app-${index}`));
  if (rank !== null) ids[rank - 1] = appId;
  const named = brand && brands[brand];
  return {
    traffic,
    difficulty,
    is_partial: false,
    search_status: isSearched ? 'searched' : 'unsearched',
    brand: brand === 'suspected' ? null : named,
    suspected_brand: brand === 'suspected' ? named : null,
    results: ids.length,
    page: {
      app_ids: ids,
      genres: [
        { key: '6006', apps: ofGenre },
        { key: '6007', apps: 10 - ofGenre },
      ],
    },
  };
}

/** A term as it is now and as it will be. */
type Read = {
  known: Known;
  now: Demand;
  later: Demand;
  state: 'read' | 'partial' | 'unread';
  isReadLater: boolean;
};

const read = fc.record<Read>({
  known,
  now: demand,
  later: demand,
  state: fc.constantFrom('read', 'read', 'partial', 'unread'),
  isReadLater: fc.constantFrom(true, true, true, false),
});

function scoreNow({ known, now, state }: Read): TermScore | null {
  if (state === 'unread') return null;
  const score = scoreOf(known, now);
  return state === 'read' ? score : { ...score, is_partial: true, search_status: 'pending' };
}

function scoreLater(term: Read): TermScore | null {
  return term.state !== 'read' && term.isReadLater ? scoreOf(term.known, term.later) : scoreNow(term);
}

const vocabulary = ['habit', 'habits', 'tracker', 'trackers', 'planner', 'free', 'quillfoot', 'the'];
const text = fc.array(fc.constantFrom(...vocabulary), { maxLength: 5 }).map((words) => words.join(' '));
const listing = fc.record({
  store: fc.constantFrom<Store>('ITUNES', 'GPLAY'),
  title: text,
  subtitle: text,
  kwField: fc.option(fc.tuple(text, text).map(([one, other]) => `${one},${other.replaceAll(' ', ',')}`)),
  described: text,
  ratings: fc.constantFrom(10, 5_000, 500_000),
});

test('whatever the pending phrases prove to be, all or some of them, each score lies within its range', () => {
  fc.assert(
    fc.property(listing, fc.array(read, { minLength: 40, maxLength: 40 }), (shown, reads) => {
      const { store, title, subtitle, described, ratings } = shown;
      const kwField = store === 'ITUNES' ? shown.kwField : null;
      const texts = { title, subtitle, description: described, kw_field: kwField };
      const context = { rating_count: ratings };
      const base = build(store, { texts, context, live_description: described });
      const names = listingTerms(base).map(({ keyword }) => keyword);
      const stateOf = (name: string, index: number): Read | null => {
        const term = reads[index % reads.length];
        if (!term) return null;
        return name.includes(' ') ? term : { ...term, state: 'read' };
      };
      const termsAt = (scoreAt: (term: Read) => TermScore | null) =>
        new Map(
          names.flatMap((name, index) => {
            const term = stateOf(name, index);
            const score = term && scoreAt(term);
            return score ? [[name, score] as const] : [];
          }),
        );
      const before = { ...base, terms: termsAt(scoreNow) };
      const ranges = scoreRanges(before);
      if (ranges === null) return;
      for (const input of [before, { ...base, terms: termsAt(scoreLater) }]) {
        const scores = scoresOf(input);
        for (const key of ['coverage', 'targeting', 'global'] as const) {
          expect(scores[key]).toBeGreaterThanOrEqual(ranges[key].min);
          expect(scores[key]).toBeLessThanOrEqual(ranges[key].max);
        }
      }
    }),
    atLeastRuns(500),
  );
});
