import type { AuditInput, ListingTexts, TermScore } from '../../src/domain/audit/audit-input.ts';
import { axisScoresOf } from '../../src/domain/audit/axes/axis-scores.ts';
import { listingTerms } from '../../src/domain/audit/words/listing-terms.ts';
import { brandOf } from '../../src/domain/keyword/brand.ts';
import { topResultsOf } from '../../src/domain/keyword/top-result.ts';
import { trafficOf } from '../../src/domain/keyword/traffic.ts';
import { buildAuditInput, reportOf, searched, unsearched } from '../build-audit-input.ts';
import { buildApp, buildPage } from '../build-reading.ts';

/** What users decide by the numbers, and what the numbers must therefore not say. */

const appId = 'com.example.lumen';

/** A term with a page on which the app has this rank; null: it is not on it, and neither are apps like it. */
function on(rank: number | null, term: TermScore, name: string): TermScore {
  const ids = Array.from({ length: 100 }, (_, at) => (at + 1 === rank ? appId : `${name} ${at}`));
  return { ...term, page: { app_ids: ids, genres: null } };
}

type Terms = Record<
  string,
  readonly [traffic: number, difficulty: number, rank: number | null, brand?: string]
>;

/** An audit in which everything is read; people do not search for terms that are not named here. */
function audited(texts: Partial<ListingTexts>, terms: Terms, more: { genre?: string } = {}): AuditInput {
  const input = buildAuditInput('ITUNES', { texts, context: { rating_count: 5_000_000 }, ...more });
  const scores = listingTerms(input).map(({ keyword }) => [keyword, scoreOf(keyword, terms)] as const);
  return { ...input, terms: new Map(scores) };
}

function scoreOf(keyword: string, terms: Terms): TermScore {
  const given = terms[keyword];
  if (given === undefined) return unsearched;
  const [traffic, difficulty, rank, developer] = given;
  const brand = developer === undefined ? null : { app_id: keyword, developer_name: developer };
  return on(rank, searched(traffic, difficulty, brand), keyword);
}

const scoresOf = (input: AuditInput) => axisScoresOf(reportOf(input));
const codesOf = (input: AuditInput) => reportOf(input).flags.map(({ code }) => code);

describe('a subtitle of searched words that are not the app’s business', () => {
  const title = 'Lumen Messenger';
  const terms: Terms = {
    lumen: [90, 80, 1, 'Quillfoot Works'],
    messenger: [80, 78, 1],
    zebra: [40, 50, null],
    violin: [44, 45, null],
    kitchen: [50, 55, null],
    chat: [40, 50, 6],
    video: [44, 45, 14],
    calls: [50, 55, 9],
  };
  const irrelevant = audited({ title, subtitle: 'Zebra, violin, kitchen' }, terms);
  const relevant = audited({ title, subtitle: 'Chat, video, calls' }, terms);

  test('never beats a relevant one of the same demand, on any axis', () => {
    for (const axis of ['coverage', 'targeting', 'global'] as const)
      expect(scoresOf(relevant)[axis]).toBeGreaterThan(scoresOf(irrelevant)[axis]);
  });

  test('never beats none, and is flagged with its words', () => {
    const none = audited({ title, subtitle: '' }, terms);
    expect(scoresOf(irrelevant).global).toBeLessThanOrEqual(scoresOf(none).global);
    const flag = reportOf(irrelevant).flags.find(({ code }) => code === 'IRRELEVANT_WORDS');
    expect(flag?.evidence.words).toEqual(expect.arrayContaining(['zebra', 'violin', 'kitchen']));
    expect(codesOf(relevant)).not.toContain('IRRELEVANT_WORDS');
  });
});

test('the names of other apps earn nothing and are flagged', () => {
  const terms: Terms = {
    pandory: [80, 88, null, 'Pandory Media'],
    spotilo: [92, 92, 40, 'Spotilo AB'],
    facepage: [96, 97, null, 'Facepage Inc.'],
    notes: [66, 62, 4],
  };
  const brands = reportOf(audited({ title: 'Pandory Spotilo Facepage', subtitle: 'Notes' }, terms));
  expect(brands.fields.find(({ key }) => key === 'title')?.score).toBe(0);
  expect(brands.flags.map(({ code }) => code)).toEqual(
    expect.arrayContaining(['TARGETS_RIVAL_BRAND', 'IRRELEVANT_WORDS']),
  );
});

describe('a term that the app ranks second for', () => {
  const terms: Terms = {
    lumen: [60, 70, 1, 'Quillfoot Works'],
    music: [88, 97, 2],
    podcasts: [70, 72, 20],
  };
  const texts = { title: 'Lumen: Music, Podcasts' };
  const holding = audited(texts, terms, { genre: 'Music' });

  test('is within its reach, however hard it is', () => {
    const music = reportOf(holding).targeting.keywords.find(({ name }) => name === 'music');
    expect(music?.verdict).toBe('reachable');
  });

  test('earns in the name what it is searched for, although it is the category', () => {
    const words = reportOf(holding).fields[0]?.words ?? [];
    expect(words.find(({ name }) => name === 'music')?.status).toBe('earning');
  });

  test('never raises a score when it is dropped', () => {
    const without = audited({ title: 'Lumen: Podcasts' }, terms, { genre: 'Music' });
    for (const axis of ['coverage', 'targeting', 'global'] as const)
      expect(scoresOf(without)[axis]).toBeLessThan(scoresOf(holding)[axis]);
  });
});

test.each([
  ['MOSTLY_OUT_OF_REACH', 'music'],
  ['TARGETS_RIVAL_BRAND', 'spotilo'],
  ['IRRELEVANT_WORDS', 'spotilo'],
])('%s does not advise to drop a term that the app ranks 30th for', (flagCode, word) => {
  const advised = (rank: number | null) => {
    const input = audited(
      { title: 'Lumen: Music, Spotilo' },
      {
        lumen: [20, 70, 1, 'Quillfoot Works'],
        music: [98, 99, rank],
        spotilo: [70, 72, rank, 'Spotilo AB'],
      },
    );
    const flag = reportOf(input).flags.find(({ code }) => code === flagCode);
    return Object.values(flag?.evidence ?? {}).flat();
  };
  expect(advised(null)).toContain(word);
  expect(advised(30)).not.toContain(word);
});

describe('spellings', () => {
  const trafficWith = (keyword: string, title: string) => {
    const page = buildPage([
      buildApp({ title, ratings: 900_000 }),
      ...Array.from({ length: 9 }, (_, at) => buildApp({ title: `Acorn ${at}`, ratings: 40_000 })),
    ]);
    const suggestion = { kind: 'suggested', prefix: keyword.slice(0, 4), index: 2, size: 10 } as const;
    return trafficOf({
      results: topResultsOf(keyword, page, 'en-US'),
      match: suggestion,
      charted: 2,
      words: 2,
    })?.score;
  };

  test.each([
    ['offer up', 'OfferUp: Buy. Sell.', 'Offer Up: Buy. Sell.'],
    ['text now', 'TextNow: Call', 'Text Now: Call'],
    ['pokemon go', 'Pokémon GO', 'Pokemon GO'],
    ['car game', 'Car Games 2026', 'Car Game 2026'],
  ])(
    'the traffic of "%s" is nearly the same whether its app is called "%s" or "%s"',
    (keyword, one, other) => {
      const difference = Math.abs((trafficWith(keyword, one) ?? 0) - (trafficWith(keyword, other) ?? 0));
      expect(difference).toBeLessThanOrEqual(1);
    },
  );

  test.each([
    ['offer up', 'OfferUp: Buy. Sell. Letgo.', 'OfferUp Inc.'],
    ['text now', 'TextNow: Call + Text Unlimited', 'TextNow, Inc.'],
    ['pokemon go', 'Pokémon GO', 'Niantic'],
  ])('"%s" is the brand of "%s"', (keyword, title, developer) => {
    const page = [buildApp({ title, developer_name: developer }), buildApp({ app_id: '2', title: 'Acorn' })];
    expect(brandOf(keyword, page, 'en-US')).not.toBeNull();
  });
});
