import { type Store, stores } from '@shelfwise/facts/stores/store';
import fc from 'fast-check';
import { atLeastRuns } from '../../../../../testing/at-least-runs.ts';
import {
  buildAuditInput,
  reportOf,
  searched,
  ungraded,
  unsearched,
} from '../../../test/build-audit-input.ts';
import { scoringVersion } from '../scoring-version.ts';
import type { AuditInput, TermScore } from './audit-input.ts';
import { globalOf } from './axes/axis-scores.ts';
import { listingTerms } from './words/listing-terms.ts';

const own = { app_id: 'com.example.lumen', developer_name: 'Somebody' };
const rival = { app_id: 'com.example.rival', developer_name: 'Rival Inc' };
const measured: fc.Arbitrary<TermScore> = fc.oneof(
  fc
    .record({
      traffic: fc.integer({ min: 5, max: 100 }),
      difficulty: fc.nat(100),
      brand: fc.constantFrom(null, null, own, rival),
    })
    .map(({ traffic, difficulty, brand }) => searched(traffic, difficulty, brand)),
  fc.integer({ min: 5, max: 100 }).map(ungraded),
  fc.constant(unsearched),
);

const vocabulary = 'anchor basket candle dragon quillfoot reference the'.split(' ');
const text = (maxLength: number) =>
  fc
    .array(fc.oneof(fc.constantFrom(...vocabulary, ','), fc.string({ unit: 'grapheme', maxLength: 6 })), {
      maxLength,
    })
    .map((words) => words.join(' '));

/** Any listing, with two scores for each of its terms: what is known now (null: pending) and the final one. */
const listing = fc
  .record({
    store: fc.constantFrom<Store>(...stores),
    lang: fc.constantFrom('en-US', 'de-DE', 'ja', 'tr'),
    texts: fc.record({
      title: text(5),
      subtitle: fc.option(text(6)),
      description: text(25),
      kw_field: fc.option(text(8)),
    }),
    rating_count: fc.option(fc.nat(200_000)),
    scores: fc.array(fc.tuple(measured, fc.boolean()), { minLength: 40, maxLength: 40 }),
  })
  .map(({ store, lang, texts, rating_count: ratingCount, scores }) => {
    const ownTexts = store === 'GPLAY' ? { ...texts, kw_field: null } : texts;
    const blank = buildAuditInput(store, { lang, texts: ownTexts, context: { rating_count: ratingCount } });
    const inTheEnd = new Map<string, TermScore>();
    const now = new Map<string, TermScore>();
    listingTerms(blank).forEach(({ keyword }, at) => {
      const [score, isKnown] = scores[at % scores.length] ?? [unsearched, true];
      inTheEnd.set(keyword, score);
      if (isKnown) now.set(keyword, score);
    });
    return { now: { ...blank, terms: now }, inTheEnd: { ...blank, terms: inTheEnd } };
  });

function axesOf(input: AuditInput) {
  const { axes } = reportOf(input);
  const score = (key: string) => axes.find((axis) => axis.key === key)?.score ?? Number.NaN;
  return { coverage: score('coverage'), targeting: score('targeting'), appeal: score('appeal') };
}

describe('for any listing', () => {
  test('the overall score can be recomputed from the published axes, all whole numbers from 0 to 100', () => {
    fc.assert(
      fc.property(listing, ({ now }) => {
        const axes = axesOf(now);
        expect(reportOf(now).global).toBe(globalOf(axes));
        for (const score of Object.values(axes)) {
          expect(Number.isInteger(score) && score >= 0 && score <= 100).toBe(true);
        }
      }),
    );
  });

  test('a flag that is raised while words are pending stays once they are measured', () => {
    fc.assert(
      fc.property(listing, ({ now, inTheEnd }) => {
        const settled = new Set(reportOf(inTheEnd).flags.map(({ code }) => code));
        const early = reportOf(now).flags.map(({ code }) => code);
        expect(early.filter((code) => !settled.has(code))).toEqual([]);
      }),
      atLeastRuns(400),
    );
  });

  test('each word is listed once in a field’s table, and none is pending once everything is read', () => {
    fc.assert(
      fc.property(listing, ({ inTheEnd }) => {
        for (const { words } of reportOf(inTheEnd).fields) {
          expect(new Set(words.map(({ name }) => name)).size).toBe(words.length);
          const pending = words.filter(({ status }) => status === 'pending').map(({ name }) => name);
          const isUnread = (name: string) => inTheEnd.terms.get(name)?.search_status === 'ungraded';
          expect(pending.filter((name) => !isUnread(name))).toEqual([]);
        }
      }),
    );
  });

  test('the same listing gets the same report', () => {
    fc.assert(fc.property(listing, ({ now }) => expect(reportOf(now)).toEqual(reportOf(now))));
  });

  test('targeting is 0 whenever it cannot be assessed; its terms are the searched ones, most traffic first', () => {
    fc.assert(
      fc.property(listing, ({ now }) => {
        const { targeting } = reportOf(now);
        if (!targeting?.assessable) expect(axesOf(now).targeting).toBe(0);
        const traffics = (targeting?.keywords ?? []).map(({ traffic }) => traffic ?? Number.NaN);
        expect(traffics).toEqual(traffics.toSorted((a, b) => b - a));
        expect(targeting?.keywords.filter(({ verdict }) => verdict === '').length).toBe(targeting?.ungraded);
        expect(targeting?.unsearched_words).toHaveLength(targeting?.unsearched ?? Number.NaN);
      }),
    );
  });
});

test('a first audit without any measurement marks words as pending and raises no flag about demand', () => {
  const report = reportOf(
    buildAuditInput('ITUNES', {
      texts: { title: 'Lumen: Photo Editor', subtitle: 'Retouch, blend and collage' },
    }),
  );
  expect(report.axes).toEqual([
    { key: 'coverage', score: 0 },
    { key: 'targeting', score: 0 },
    { key: 'appeal', score: expect.any(Number) },
  ]);
  expect(report.targeting).toEqual({
    assessable: false,
    reason: 'unread',
    won: 0,
    lost: 0,
    keywords: [],
    partial: 0,
    ungraded: 0,
    unsearched: 0,
    unsearched_words: [],
  });
  expect(report.fields[0]?.words.map(({ status }) => status)).toEqual(['pending', 'pending', 'pending']);
  expect(report.flags.map(({ code }) => code)).toEqual(['DESCRIPTION_EMPTY', 'KW_FIELD_UNKNOWN']);
});

test('a term without competition data is counted but has no difficulty, no verdict and no amounts', () => {
  const texts = { title: 'Photo', subtitle: 'Collage' };
  const terms = {
    photo: searched(60, 50),
    collage: ungraded(70),
  };
  expect(reportOf(buildAuditInput('ITUNES', { texts, terms })).targeting).toEqual({
    assessable: true,
    reason: null,
    // 60 / (1 + e^((50 - 55) / 8))
    won: 39.08,
    lost: 0,
    keywords: [
      {
        name: 'collage',
        field: 'subtitle',
        traffic: 70,
        difficulty: null,
        relevance: null,
        relevance_parts: null,
        rank: null,
        gain: 1,
        listing_gain: null,
        credit: null,
        won: null,
        lost: null,
        own_brand: false,
        same_as: null,
        verdict: '',
        reason: null,
        is_partial: false,
        scored_at: null,
      },
      {
        name: 'photo',
        field: 'title',
        traffic: 60,
        difficulty: 50,
        relevance: null,
        relevance_parts: null,
        rank: null,
        gain: 1,
        listing_gain: 1,
        credit: 0.65,
        won: 39.08,
        lost: 0,
        own_brand: false,
        same_as: null,
        verdict: 'ambitious',
        reason: null,
        is_partial: false,
        scored_at: null,
      },
    ],
    partial: 0,
    ungraded: 1,
    unsearched: 0,
    unsearched_words: [],
  });
});

describe('a term whose traffic is partial', () => {
  const partial: TermScore = { ...searched(70, 20), is_partial: true };
  const complete: TermScore = { ...partial, is_partial: false };
  const texts = { title: 'Photo Collage' };
  const photo = searched(60, 50);
  const audit = (terms: Record<string, TermScore>) => reportOf(buildAuditInput('ITUNES', { texts, terms }));

  test('is pending in every sum, searched or not', () => {
    const report = audit({ photo, collage: partial, 'photo collage': partial });
    const unread = audit({ photo });
    expect(report.axes).toEqual(unread.axes);
    expect(report.targeting).toMatchObject({ assessable: true, partial: 2, keywords: [{ name: 'photo' }] });
    expect(report.fields[0]?.words[1]).toMatchObject({
      status: 'pending',
      is_partial: true,
      traffic: 70,
      counts: null,
    });
    expect(audit({ photo, collage: complete }).axes).not.toEqual(unread.axes);
  });

  test('cannot be assessed where all terms are so', () => {
    const report = audit({ photo: partial, collage: partial, 'photo collage': partial });
    expect(report.targeting).toMatchObject({ assessable: false, reason: 'partial', partial: 3 });
  });
});

test('when no searched term has competition data, targeting is assessable and scores 0', () => {
  const texts = { title: 'Photo', subtitle: 'Collage' };
  const terms = { photo: ungraded(60), collage: ungraded(70) };
  const report = reportOf(buildAuditInput('ITUNES', { texts, terms }));
  expect(report.targeting).toMatchObject({ assessable: true, ungraded: 2 });
  expect(report.axes[1]).toEqual({ key: 'targeting', score: 0 });
});

test('a listing without any searched term cannot be assessed', () => {
  const input = buildAuditInput('ITUNES', { texts: { title: 'Lumen' }, terms: { lumen: unsearched } });
  expect(reportOf(input).targeting).toMatchObject({ assessable: false, reason: 'unsearched' });
});

test('stop words, the developer’s name and the category are not listed as unsearched words', () => {
  const texts = { title: 'The Quillfoot Lumen', subtitle: 'Reference lumen glimmer' };
  const terms = { quillfoot: unsearched, lumen: unsearched, reference: unsearched, glimmer: unsearched };
  const { targeting } = reportOf(buildAuditInput('ITUNES', { texts, terms }));
  expect(targeting).toMatchObject({ unsearched: 2, unsearched_words: ['lumen', 'glimmer'] });
});

describe('fragments of words', () => {
  const texts = { title: '家計簿', subtitle: '青空鉄' };
  const words = { 家計: unsearched, 簿: unsearched, 青空: unsearched, 鉄: unsearched, 青空鉄: unsearched };
  const audit = (terms: Record<string, TermScore>, lang = 'ja') =>
    reportOf(buildAuditInput('ITUNES', { lang, texts, terms: { ...words, ...terms } }));
  const codes = (terms: Record<string, TermScore>) => audit(terms).flags.map(({ code }) => code);

  test('without spaces between words, neither a single character nor a part of a searched phrase is an unsearched word', () => {
    expect(audit({ 家計簿: searched(70, 60) }).targeting).toMatchObject({
      unsearched: 1,
      unsearched_words: ['青空'],
    });
    expect(audit({ 家計簿: unsearched }).targeting?.unsearched_words).toEqual(['家計', '青空']);
  });

  test('fragments, and words that may prove to be fragments, do not count against a listing', () => {
    expect(codes({ 家計簿: unsearched })).toContain('UNSEARCHED_WORDS_HIGH');
    expect(codes({ 家計簿: searched(70, 60), 青空鉄: searched(20, 20) })).not.toContain(
      'UNSEARCHED_WORDS_HIGH',
    );
    expect(audit({}).targeting?.unsearched_words).toEqual(['青空']);
  });

  test('with spaces between words, a word of a searched phrase can still be unsearched', () => {
    const terms = { lumen: unsearched, glow: unsearched, 'lumen glow': searched(20, 20) };
    const input = buildAuditInput('ITUNES', { texts: { title: 'Lumen Glow' }, terms });
    expect(reportOf(input).targeting?.unsearched_words).toEqual(['lumen', 'glow']);
  });
});

test('a report has its time, its scoring version and what visitors of the page see', () => {
  const input = buildAuditInput('GPLAY', {
    context: { rating: 4.2, screenshots: 3, days_since_update: null },
  });
  expect(reportOf(input)).toMatchObject({
    tier: 2,
    computed_at: input.now,
    scoring_version: scoringVersion,
    appeal: { rating: 4.2, screenshots: 3, screenshots_target: 8, days_since_update: null },
  });
  const unrated = buildAuditInput('ITUNES', { context: { rating: 0, rating_count: 0 } });
  expect(reportOf(unrated).appeal).toMatchObject({ rating: null, screenshots_target: 6 });
});
