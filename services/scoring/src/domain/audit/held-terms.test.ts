import { commonForm } from '@shelfwise/facts/text/word-form';
import fc from 'fast-check';
import { buildAuditInput, searched, unsearched } from '../../../test/build-audit-input.ts';
import type { AuditInput, TermScore } from './audit-input.ts';
import { exactCoverageOf } from './axes/coverage.ts';
import { findFormRanks } from './axes/form-ranks.ts';
import { lostShare } from './axes/targeting.ts';
import { readListing } from './read-listing.ts';
import { listingTerms } from './words/listing-terms.ts';

const appId = 'com.example.lumen';
const formOf = (words: string) => commonForm(words, 'en-US');
const vocabulary = ['habit', 'habits', 'tracker', 'planner', 'daily', 'goal', 'free', 'the'];
const brands = {
  own: { app_id: appId, developer_name: 'Quillfoot Works' },
  rival: { app_id: 'rival', developer_name: 'Somebody' },
};

const score = fc
  .record({
    traffic: fc.integer({ min: 5, max: 100 }),
    difficulty: fc.nat(100),
    rank: fc.option(fc.constantFrom(1, 2, 5, 9, 10, 11, 30, 60), { freq: 3 }),
    brand: fc.constantFrom(null, null, null, 'own', 'rival' as const),
    isSearched: fc.constantFrom(true, true, true, false),
  })
  .map(({ traffic, difficulty, rank, brand, isSearched }): TermScore => {
    const ids = Array.from({ length: 60 }, (_, at) => (at + 1 === rank ? appId : `app-${at}`));
    const named = brand && brands[brand as keyof typeof brands];
    return isSearched
      ? { ...searched(traffic, difficulty, named), page: { app_ids: ids, genres: [] } }
      : unsearched;
  });

const field = fc.array(fc.constantFrom(...vocabulary), { maxLength: 5 });
const listing = fc.record({
  store: fc.constantFrom('ITUNES' as const, 'GPLAY' as const),
  title: field,
  subtitle: field,
  kwField: field,
  description: field,
  scores: fc.array(score, { minLength: 30, maxLength: 30 }),
});

type Fields = Record<'title' | 'subtitle' | 'kwField' | 'description', readonly string[]>;

/** A term that the listing had from the start keeps its score; one that it gets by losing a word is not searched. */
function build(
  store: 'ITUNES' | 'GPLAY',
  fields: Fields,
  scores: ReadonlyMap<string, TermScore>,
): AuditInput {
  const texts = {
    title: fields.title.join(' '),
    subtitle: fields.subtitle.join(' '),
    kw_field: store === 'ITUNES' ? fields.kwField.join(' ') : null,
    description: fields.description.join(' '),
  };
  const input = { ...buildAuditInput(store, { texts }), neighbors: new Map() };
  const names = listingTerms(input).map(({ keyword }) => keyword);
  const terms = new Map(names.map((name) => [name, scores.get(name) ?? unsearched]));
  return { ...input, terms, form_ranks: findFormRanks({ ...input, terms }, new Map(), appId, formOf) };
}

/** The axes of words, not rounded. */
function exactOf(input: AuditInput) {
  const { fields, amounts } = readListing(input);
  return { coverage: exactCoverageOf(input.storefront.store, fields), targeting: amounts?.score ?? 0 };
}

test('taking a held word out of a listing never raises an axis and lowers one, unless a phrase of it costs more than it brings or is the own brand', () => {
  fc.assert(
    fc.property(listing, ({ store, scores, ...fields }) => {
      const names = listingTerms(build(store, fields, new Map())).map(({ keyword }) => keyword);
      const known = new Map(names.map((name, at) => [name, scores[at % scores.length] ?? unsearched]));
      const before = build(store, fields, known);
      const { aimed, amounts } = readListing(before);
      const isHeld = ({ gain, rank, traffic, searchStatus }: (typeof aimed)[number]) =>
        searchStatus === 'searched' && gain >= 0.25 && rank !== null && rank <= 10 && (traffic ?? 0) >= 20;
      const costs = (name: string) => {
        const { won = 0, lost = 0, isOwnBrand = false } = amounts?.terms.get(name) ?? {};
        return isOwnBrand || won < lostShare * lost;
      };
      for (const term of aimed.filter((one) => one.words.length === 1 && isHeld(one))) {
        const phrases = aimed.filter(({ words }) => words.length > 1 && words.includes(term.form));
        if ([term, ...phrases].some(({ name }) => costs(name))) continue;
        // Signs in place of all forms of the word: its neighbors become no phrase, and no further word fits into the limit.
        const strip = (words: readonly string[]) =>
          words.map((word) => (formOf(word) === term.form ? '|'.repeat(word.length) : word));
        const stripped: Fields = {
          title: strip(fields.title),
          subtitle: strip(fields.subtitle),
          kwField: strip(fields.kwField),
          description: strip(fields.description),
        };
        const [was, is] = [exactOf(before), exactOf(build(store, stripped, known))];
        expect(is.coverage).toBeLessThanOrEqual(was.coverage + 1e-9);
        expect(is.targeting).toBeLessThanOrEqual(was.targeting + 1e-9);
        expect(is.coverage + is.targeting).toBeLessThan(was.coverage + was.targeting);
      }
    }),
  );
});
