import { type ListingFieldKey, listingFields } from '@shelfwise/facts/stores/listing-fields';
import { type Store, stores } from '@shelfwise/facts/stores/store';
import fc from 'fast-check';
import type { AuditInput, TermScore } from '../src/domain/audit/audit-input.ts';
import { exactCoverageOf } from '../src/domain/audit/axes/coverage.ts';
import { readListing } from '../src/domain/audit/read-listing.ts';
import { listingTerms } from '../src/domain/audit/words/listing-terms.ts';
import { createFormOf } from '../src/domain/text/form-of.ts';
import { buildAuditInput, searched, unsearched } from './build-audit-input.ts';

/** Random listings of which everything is read, phrases and brands included. */

export const appId = 'com.example.lumen';
export const formOf = createFormOf('en-US');
export const rivals = ['streakly', 'foldling', 'pandory'];
export const vocabulary = [
  'habit',
  'tracker',
  'planner',
  'daily',
  'goal',
  'kite',
  'free',
  'lumen',
  ...rivals,
];
export const fieldKeys = ['title', 'subtitle', 'kw_field', 'description'] as const;
export const fieldKey = fc.constantFrom<ListingFieldKey>(...fieldKeys);

const score = fc
  .record({
    traffic: fc.integer({ min: 5, max: 100 }),
    difficulty: fc.nat(100),
    rank: fc.option(fc.constantFrom(1, 3, 4, 9, 20, 60, 100), { freq: 2 }),
    near: fc.nat(4),
    brand: fc.constantFrom(null, null, null, null, 'own', 'rival', 'suspected'),
    isSearched: fc.constantFrom(true, true, true, false),
  })
  .map(({ traffic, difficulty, rank, near, brand, isSearched }): TermScore => {
    const ids = Array.from({ length: 100 }, (_, at) => (at < near ? `near ${at}` : `far ${at}`));
    if (rank !== null) ids[rank - 1] = appId;
    const owner = brand && {
      app_id: brand === 'own' ? appId : 'rival',
      developer_name: brand === 'own' ? 'Quillfoot Works' : 'Somebody',
    };
    const term = isSearched ? searched(traffic, difficulty) : unsearched;
    const named = brand === 'suspected' ? { suspected_brand: owner } : { brand: owner };
    return { ...term, ...named, page: { app_ids: ids, genres: null } };
  });

/** The brand of another developer, for which the app ranks worse than third. */
const rivalScore = fc
  .tuple(fc.integer({ min: 5, max: 100 }), fc.constantFrom(null, 4, 9, 60))
  .map(([traffic, rank]): TermScore => {
    const ids = Array.from({ length: 100 }, (_, at) => (at + 1 === rank ? appId : `near ${at}`));
    const brand = { app_id: 'rival', developer_name: 'Somebody' };
    return { ...searched(traffic, 50, brand), page: { app_ids: ids, genres: null } };
  });

export type Texts = Record<ListingFieldKey, string>;
export type Drawn = {
  store: Store;
  hasApp: boolean;
  texts: Texts;
  live: string;
  scores: readonly TermScore[];
  rivalScores: readonly TermScore[];
};

export const text = (words: readonly string[], maxLength: number) =>
  fc
    .array(fc.tuple(fc.constantFrom(...words), fc.constantFrom(' ', ' ', ', ')), { maxLength })
    .map((parts) => parts.map(([word, after], at) => (at + 1 < parts.length ? word + after : word)).join(''));
export const listingOf = (words: readonly string[]): fc.Arbitrary<Drawn> =>
  fc.record({
    store: fc.constantFrom(...stores),
    hasApp: fc.constantFrom(true, true, true, false),
    texts: fc.record({
      title: text(words, 4),
      subtitle: text(words, 4),
      kw_field: text(words, 6),
      description: text(words, 12),
    }),
    live: text(words, 8),
    scores: fc.array(score, { minLength: 1, maxLength: 16 }),
    rivalScores: fc.array(rivalScore, { minLength: rivals.length, maxLength: rivals.length }),
  });
export const listing = listingOf(vocabulary);

/** The forms of a term have the same figures; what is kept with an audit for its drafts stays. */
export function inputOf({ store, hasApp, texts, live, scores, rivalScores }: Drawn): AuditInput {
  const scoreOf = (keyword: string) => {
    const sum = [...formOf(keyword)].reduce((total, one) => total + one.charCodeAt(0), 0);
    return rivalScores[rivals.indexOf(formOf(keyword))] ?? scores[sum % scores.length] ?? unsearched;
  };
  const given = { ...texts, kw_field: store === 'ITUNES' ? texts.kw_field : null };
  const input = buildAuditInput(store, {
    app_id: hasApp ? appId : null,
    texts: given,
    live_description: hasApp ? live : null,
    neighbors: new Map([0, 1, 2, 3].map((at) => [`near ${at}`, null])),
  });
  const terms = listingTerms(input).map(({ keyword }) => [keyword, scoreOf(keyword)] as const);
  return { ...input, terms: new Map(terms) };
}

export const withText = (drawn: Drawn, key: ListingFieldKey, value: string): Drawn => ({
  ...drawn,
  texts: { ...drawn.texts, [key]: value },
});
export const coverage = (drawn: Drawn) => exactCoverageOf(drawn.store, readListing(inputOf(drawn)).fields);
export const targeting = (drawn: Drawn) => readListing(inputOf(drawn)).amounts?.score ?? 0;
export const limitOf = (store: Store, key: ListingFieldKey) =>
  listingFields[store].find((field) => field.key === key)?.limit ?? 0;
/** Sums of the same numbers in another order may differ by less. */
export const tiny = 1e-9;
