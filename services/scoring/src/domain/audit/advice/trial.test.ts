import type { ListingFieldKey } from '@shelfwise/facts/stores/listing-fields';
import { type Store, stores } from '@shelfwise/facts/stores/store';
import fc from 'fast-check';
import { buildAuditInput, reportOf, searched, unsearched } from '../../../../test/build-audit-input.ts';
import { createFormOf } from '../../text/form-of.ts';
import type { AuditInput, TermScore, TermToAdd } from '../audit-input.ts';
import { axisScoresOf } from '../axes/axis-scores.ts';
import { exactCoverageOf } from '../axes/coverage.ts';
import { findNeighbors } from '../axes/neighbors.ts';
import { type ReadListing, readListing } from '../read-listing.ts';
import { listingTerms, termsIn } from '../words/listing-terms.ts';
import { createTrial } from './trial.ts';

const appId = 'com.example.lumen';
const words = [
  'photo',
  'photos',
  'editor',
  'grid',
  'collage',
  'filters',
  'lumen',
  'music',
  'pandory',
  'zebra',
];
const phrases = words.flatMap((word) => words.map((other) => `${word} ${other}`));
const candidates = [...words, ...phrases];
const candidateTerms = candidates.flatMap((keyword) => termsIn(keyword, 'en-US'));

/** Every word and phrase has a page: of the apps around it, and of this app at some rank. */
const score = fc
  .record({
    traffic: fc.integer({ min: 0, max: 95 }),
    difficulty: fc.integer({ min: 0, max: 95 }),
    rank: fc.option(fc.integer({ min: 1, max: 100 })),
    near: fc.integer({ min: 0, max: 3 }),
    isSearched: fc.boolean(),
    brand: fc.constantFrom(null, null, null, null, null, null, 'own' as const, 'rival' as const),
  })
  .map(({ traffic, difficulty, rank, near, isSearched, brand }): TermScore => {
    const owner = { own: appId, rival: 'rival' };
    const named = brand && {
      app_id: owner[brand],
      developer_name: brand === 'own' ? 'Quillfoot Works' : 'Rival',
    };
    const ids = Array.from({ length: 40 }, (_, at) => (at < near ? `near ${at}` : `far ${traffic} ${at}`));
    if (rank !== null) ids.splice(rank - 1, 0, appId);
    const genres = [{ key: '6006', apps: 10 }];
    const term = isSearched ? searched(traffic, difficulty, named) : { ...unsearched, brand: named };
    return { ...term, page: { app_ids: ids, genres } };
  });

const text = fc
  .array(fc.constantFrom(...words, 'quick', 'and', ':', ','), { maxLength: 4 })
  .map((parts) => parts.join(' '));

type Drawn = {
  store: Store;
  title: string;
  subtitle: string;
  kw: string;
  description: string;
  scores: TermScore[];
};
const drawn: fc.Arbitrary<Drawn> = fc.record({
  store: fc.constantFrom(...stores),
  title: text,
  subtitle: text,
  kw: text,
  description: text,
  scores: fc.array(score, { minLength: 1, maxLength: 12 }),
});

/** A listing of which everything is read, as its audit is computed. */
function inputOf({ store, title, subtitle, kw, description, scores }: Drawn): AuditInput {
  const scoreOf = (keyword: string) =>
    scores[[...keyword].reduce((sum, one) => sum + one.charCodeAt(0), 0) % scores.length] as TermScore;
  const kwField = store === 'ITUNES' ? kw.replaceAll(' ', ',') : null;
  const texts = { title, subtitle, description, kw_field: kwField };
  const input = buildAuditInput(store, { texts, live_description: description });
  const terms = (given: AuditInput) =>
    new Map(listingTerms(given).map(({ keyword }) => [keyword, scoreOf(keyword)] as const));
  const audited = { ...input, terms: terms(input) };
  const neighbors = findNeighbors(appId, audited.terms, createFormOf('en-US'));
  return {
    ...audited,
    neighbors,
    candidates: new Map(candidateTerms.map((keyword) => [keyword, scoreOf(keyword)])),
    sources: new Map(candidates.map((keyword) => [keyword, 'titles'])),
  };
}

/** The listing with a term after the text of a field. */
function withTerm(input: AuditInput, field: ListingFieldKey, keyword: string): AuditInput {
  const before = input.texts[field] ?? '';
  const separator = field === 'kw_field' ? ',' : ', ';
  const texts = {
    ...input.texts,
    [field]: before.trim() === '' ? keyword : `${before}${separator}${keyword}`,
  };
  const terms = new Map(
    listingTerms({ ...input, texts }).map(({ keyword: name }) => {
      const term = input.terms.get(name) ?? input.candidates?.get(name);
      if (!term) throw new Error(`${name} is not read`);
      return [name, term] as const;
    }),
  );
  return { ...input, texts, terms };
}

/** What a simulation shows for the listing with a term after the text of a field. */
function simulated(input: AuditInput, field: ListingFieldKey, keyword: string): number {
  const globalOf = (given: AuditInput) => axisScoresOf(reportOf({ ...given, advice: {} })).global;
  return globalOf(withTerm(input, field, keyword)) - globalOf(input);
}

/** The words to add of each flag that has some. */
function adviceFor(input: AuditInput): (readonly TermToAdd[])[] {
  return reportOf(input).flags.flatMap(({ evidence }) =>
    evidence.words_to_add ? [evidence.words_to_add as readonly TermToAdd[]] : [],
  );
}

const fieldsOf = (store: Store): ListingFieldKey[] =>
  store === 'ITUNES' ? ['title', 'subtitle', 'kw_field'] : ['title', 'subtitle'];

test('what a term changes is what a simulation with it shows', () => {
  fc.assert(
    fc.property(drawn, fc.constantFrom(...candidates), (listing, keyword) => {
      const input = inputOf(listing);
      const tried = createTrial(readListing(input))(keyword);
      for (const field of fieldsOf(listing.store)) {
        const change = tried?.changeIn(field) ?? null;
        if (change) expect(change.shown).toBe(simulated(input, field, keyword));
      }
    }),
  );
});

test('also on Google Play, where the long description proves a word once the name or short description has it in another spelling', () => {
  const page = { app_ids: ['far'], genres: [{ key: '6006', apps: 10 }] };
  const scores = [
    { ...unsearched, page },
    { ...searched(40, 0), page },
  ];
  const texts = { title: '', subtitle: '', kw: '', description: 'photos editor' };
  const input = inputOf({ store: 'GPLAY', ...texts, scores });
  const changeIn = createTrial(readListing(input))('editor photo')?.changeIn;
  for (const field of fieldsOf('GPLAY')) {
    const shown = simulated(input, field, 'editor photo');
    expect(shown).toBeGreaterThan(0);
    expect(changeIn?.(field)?.shown).toBe(shown);
  }
});

test('an advised term raises the score as it says, by 0 or more, and the terms are in that order', () => {
  fc.assert(
    fc.property(drawn, (listing) => {
      const input = inputOf(listing);
      for (const advised of adviceFor(input)) {
        const changes = advised.map(({ name, field }) => simulated(input, field ?? 'title', name));
        expect(advised.map(({ global_delta: delta }) => delta)).toEqual(changes);
        for (const change of changes) expect(change).toBeGreaterThanOrEqual(0);
        expect(changes).toEqual(changes.toSorted((a, b) => b - a));
      }
    }),
  );
});

test('every advised term is searched, the app’s business, within reach and no rival’s; each fits and raises the exact score', () => {
  const exactOf = ({ input, fields, amounts }: ReadListing) =>
    exactCoverageOf(input.storefront.store, fields) * (amounts?.score ?? 0);
  fc.assert(
    fc.property(drawn, (listing) => {
      const input = inputOf(listing);
      const before = exactOf(readListing(input));
      for (const advised of adviceFor(input)) {
        for (const { name, field = 'title', source } of advised) {
          const after = readListing(withTerm(input, field, name));
          const { gain, rank } = after.fitOf(name);
          expect([source, gain > 0.25, after.input.terms.get(name)?.search_status]).toEqual([
            'titles',
            true,
            'searched',
          ]);
          expect(after.amounts?.terms.get(name)?.verdict).not.toBe('out-of-reach');
          expect(rank).toBe(advised.find((one) => one.name === name)?.rank);
          expect(exactOf(after)).toBeGreaterThan(before);
          const { text, limit } = after.fields.find(({ key }) => key === field) ?? { text: null, limit: 0 };
          expect(text?.length).toBeLessThanOrEqual(limit);
          for (const part of termsIn(name, 'en-US'))
            expect(input.candidates?.get(part)?.brand?.app_id ?? appId).toBe(appId);
        }
      }
    }),
  );
});
