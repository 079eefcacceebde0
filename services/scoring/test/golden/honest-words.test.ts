import type { AuditInput, ListingTexts, TermScore } from '../../src/domain/audit/audit-input.ts';
import { auditListing } from '../../src/domain/audit/audit-listing.ts';
import { axisScoresOf } from '../../src/domain/audit/axes/axis-scores.ts';
import { exactCoverageOf } from '../../src/domain/audit/axes/coverage.ts';
import { findNeighbors } from '../../src/domain/audit/axes/neighbors.ts';
import { readListing } from '../../src/domain/audit/read-listing.ts';
import { listingTerms } from '../../src/domain/audit/words/listing-terms.ts';
import { createFormOf } from '../../src/domain/text/form-of.ts';
import { buildAuditInput, reportOf, searched, unsearched } from '../build-audit-input.ts';
import { goldenInput, goldenListings } from './golden-listing.ts';

/** Does honest work on a listing pay, and nothing else? Small result pages in the manner of those of real apps. */

type Term = {
  traffic: number;
  difficulty: number;
  rank?: number;
  /** The developer whose brand it is. */
  brand?: string;
  /** Of the first ten, those in the genre of the app. */
  kin?: number;
  /** How many results the page shows; 100 unless said. */
  results?: number;
};

type App = {
  name: string;
  developer: string;
  genreKey: string;
  ratings: number;
  description: string;
  terms: Readonly<Record<string, Term>>;
  formRanks?: Readonly<Record<string, number>>;
};

const appId = 'app';
const formOf = createFormOf('en-US');

function scoreOf(app: App, keyword: string): TermScore {
  const term = app.terms[keyword];
  if (term === undefined) return unsearched;
  const { traffic, difficulty, rank, brand, kin = 0, results = 100 } = term;
  const ids = Array.from({ length: results }, (_, at) => (at + 1 === rank ? appId : `${keyword} ${at}`));
  const genres = [
    { key: app.genreKey, apps: kin },
    { key: '6014', apps: 10 - kin },
  ];
  const owner = brand === undefined ? null : { app_id: ids[0] ?? '', developer_name: brand };
  const named = results < 5 ? { brand: null, suspected_brand: owner } : { brand: owner };
  return { ...searched(traffic, difficulty), ...named, page: { app_ids: ids, genres } };
}

/** A draft of the app: everything is read, and people do not search for terms without figures. */
function draft(app: App, texts: Partial<ListingTexts>): AuditInput {
  const live = { title: app.name, subtitle: '', description: app.description };
  const input = buildAuditInput('ITUNES', {
    app_id: appId,
    developer_name: app.developer,
    genre_key: app.genreKey,
    live_title: app.name,
    live_description: app.description,
    context: { rating_count: app.ratings },
    form_ranks: new Map(Object.entries(app.formRanks ?? {})),
    texts: { ...live, ...texts },
  });
  const scoresOf = (listing: AuditInput) =>
    new Map(listingTerms(listing).map(({ keyword }) => [keyword, scoreOf(app, keyword)] as const));
  const liveTerms = scoresOf(buildAuditInput('ITUNES', { texts: live }));
  return { ...input, terms: scoresOf(input), neighbors: findNeighbors(appId, liveTerms, formOf) };
}

const scores = (app: App, texts: Partial<ListingTexts> = {}) => axisScoresOf(reportOf(draft(app, texts)));
/** By how much a draft changes the overall score. */
const gainOf = (app: App, texts: Partial<ListingTexts>) => scores(app, texts).global - scores(app).global;
const wordIn = (app: App, texts: Partial<ListingTexts>, name: string) =>
  reportOf(draft(app, texts))
    .fields.flatMap(({ words }) => words)
    .find((word) => word.name === name);

const streaks: App = {
  name: 'Streaks',
  developer: 'Crunchy Bagel',
  genreKey: '6013',
  ratings: 18_000,
  description:
    'The to-do list that helps you form good habits: a habit tracker for your daily goals and routine.',
  terms: {
    streaks: { traffic: 51, difficulty: 55, rank: 1, brand: 'Crunchy Bagel' },
    habit: { traffic: 45, difficulty: 60 },
    habits: { traffic: 47, difficulty: 61, rank: 3 },
    tracker: { traffic: 50, difficulty: 75 },
    'habit tracker': { traffic: 52, difficulty: 66 },
    goals: { traffic: 35, difficulty: 50 },
    daily: { traffic: 40, difficulty: 60 },
    routine: { traffic: 38, difficulty: 45 },
    'daily routine': { traffic: 36, difficulty: 40 },
    zebra: { traffic: 30, difficulty: 40 },
    violin: { traffic: 44, difficulty: 45 },
  },
  formRanks: { habit: 3 },
};

const calories: App = {
  name: 'MyFitnessPal',
  developer: 'MyFitnessPal, Inc.',
  genreKey: '6013',
  ratings: 1_200_000,
  description: 'Lose weight with a free food diary: count calories, log every meal and plan your diet.',
  terms: {
    myfitnesspal: { traffic: 82, difficulty: 80, rank: 1, brand: 'MyFitnessPal, Inc.' },
    lose: { traffic: 30, difficulty: 60, kin: 8 },
    weight: { traffic: 48, difficulty: 74, kin: 9 },
    'lose weight': { traffic: 50, difficulty: 76, kin: 10 },
    food: { traffic: 62, difficulty: 80 },
    diary: { traffic: 45, difficulty: 65 },
    'food diary': { traffic: 35, difficulty: 60, kin: 9 },
    diet: { traffic: 55, difficulty: 75, rank: 1, kin: 10 },
    meditation: { traffic: 62, difficulty: 78, kin: 10 },
    sleep: { traffic: 66, difficulty: 80, kin: 10 },
    yoga: { traffic: 60, difficulty: 72, kin: 10 },
  },
};

const messenger: App = {
  name: 'WhatsApp Messenger',
  developer: 'WhatsApp Inc.',
  genreKey: '6005',
  ratings: 9_000_000,
  description:
    'WhatsApp is a simple and secure messenger: chat, text, call, video, voice, group, family, sms.',
  terms: {
    whatsapp: { traffic: 95, difficulty: 90, rank: 1, brand: 'WhatsApp Inc.' },
    messenger: { traffic: 85, difficulty: 85, rank: 2 },
    'whatsapp messenger': { traffic: 70, difficulty: 85, rank: 1, brand: 'WhatsApp Inc.' },
    ...Object.fromEntries(
      ['chat', 'text', 'call', 'video', 'voice', 'group', 'family', 'sms'].map((word, at) => [
        word,
        { traffic: 40 + 3 * at, difficulty: 70 + at, kin: 6 },
      ]),
    ),
    facebook: { traffic: 96, difficulty: 95, rank: 9, brand: 'Meta Platforms', kin: 10 },
    instagram: { traffic: 96, difficulty: 95, rank: 12, brand: 'Instagram, Inc.', kin: 9 },
    snapchat: { traffic: 92, difficulty: 93, brand: 'Snap, Inc.', kin: 9 },
    'facebook instagram': { traffic: 60, difficulty: 95, kin: 10 },
  },
};

const weather: App = {
  name: 'WeatherBug: Weather Radar',
  developer: 'WeatherBug',
  genreKey: '6001',
  ratings: 500_000,
  description: 'Live weather radar, forecast and alerts.',
  terms: {
    weatherbug: { traffic: 70, difficulty: 75, rank: 1, brand: 'WeatherBug' },
    weather: { traffic: 86, difficulty: 92, rank: 3, kin: 10 },
    radar: { traffic: 60, difficulty: 70, kin: 10 },
    'weather radar': { traffic: 66, difficulty: 78, rank: 8, kin: 10 },
  },
};

const apps = { streaks, calories, messenger, weather };

test.each([
  ['a name with its own words', { title: 'Streaks: Habit Tracker' }],
  ['a subtitle of its own words', { subtitle: 'Habits, Goals & Daily Routine' }],
])('%s raises the score of a habit tracker, a name with a stranger’s words does not', (_what, texts) => {
  expect(gainOf(streaks, texts)).toBeGreaterThanOrEqual(5);
  expect(gainOf(streaks, { subtitle: 'Zebra, Violin' })).toBeLessThanOrEqual(0);
});

test('"habit" is the business of an app that ranks third for "habits"', () => {
  const word = wordIn(streaks, { title: 'Streaks: Habit Tracker' }, 'habit');
  expect(word).toMatchObject({ status: 'earning', rank: 3, gain: 1, relevance_parts: { own: 0.76 } });
});

test('the brand alone has less than 50', () => {
  for (const app of Object.values(apps)) {
    const brand = app.name.split(/[: ]/u)[0] ?? '';
    expect(scores(app, { title: brand }).targeting).toBeLessThan(50);
  }
});

test.each([
  ['messenger', 'chat,text,call,video,voice,group,family,sms'],
  ['streaks', 'habits,goals,daily,routine'],
] as const)('a keywords field of good words raises the score of %s against an empty one', (name, field) => {
  const empty = scores(apps[name], { kw_field: '' });
  const filled = scores(apps[name], { kw_field: field });
  expect(filled.global - empty.global).toBeGreaterThanOrEqual(10);
  expect(filled.targeting).toBeGreaterThan(empty.targeting);
});

test('the own words beat those of another kind of app in the same genre', () => {
  const own = gainOf(calories, { subtitle: 'Lose Weight & Food Diary' });
  const other = gainOf(calories, { subtitle: 'Meditation, Sleep & Yoga' });
  expect(own).toBeGreaterThan(other);
  expect(own).toBeGreaterThan(0);
  expect(other).toBeLessThanOrEqual(0);
});

describe('a field of rivals’ names', () => {
  const names = 'Facebook Instagram Snapchat';

  test('has the coverage of an empty one, never raises the score, and says why', () => {
    const empty = scores(messenger);
    const filled = scores(messenger, { subtitle: names });
    expect(filled.coverage).toBe(empty.coverage);
    expect(filled.global).toBeLessThanOrEqual(empty.global);
    const { targeting, fields } = reportOf(draft(messenger, { subtitle: names }));
    const reasons = targeting.keywords
      .filter(({ field }) => field === 'subtitle')
      .map(({ reason }) => reason);
    expect(new Set(reasons)).toEqual(new Set(['rival-brand']));
    expect(fields[1]?.words.map(({ status }) => status)).toEqual(Array(3).fill('irrelevant'));
  });

  test('counts in no sum while its suggestions are unknown', () => {
    const input = draft(messenger, { subtitle: names });
    const terms = new Map(
      [...input.terms].map(([keyword, term]) =>
        names.toLowerCase().includes(keyword) ? [keyword, { ...term, is_partial: true }] : [keyword, term],
      ),
    );
    const { report, readiness } = auditListing({ ...input, terms });
    expect(readiness.is_shown).toBe(false);
    expect(axisScoresOf(report).targeting).toBe(scores(messenger).targeting);
  });
});

test.each([
  ['weather', { title: 'WeatherBug: Radar' }, { title: 'WeatherBug: Weather Radar' }],
  ['calories', { title: 'MyFitnessPal' }, { title: 'MyFitnessPal: Diet' }],
] as const)('leaving out a term that %s ranks first or third for costs', (name, without, whole) => {
  expect(scores(apps[name], without).global).toBeLessThan(scores(apps[name], whole).global);
  expect(scores(apps[name], without).coverage).toBeLessThan(scores(apps[name], whole).coverage);
});

test('a brand that a thin page only suspects is not held against a listing', () => {
  const app = {
    ...streaks,
    terms: { ...streaks.terms, todo: { traffic: 40, difficulty: 20, brand: 'Somebody', results: 3 } },
  };
  const { flags } = reportOf(draft(app, { subtitle: 'Todo' }));
  expect(flags.map(({ code }) => code)).not.toContain('TARGETS_RIVAL_BRAND');
});

describe('taking a held term out of a listing', () => {
  const listings = [...Object.values(apps).map((app) => draft(app, {})), ...goldenListings.map(goldenInput)];

  /** The axes of words, not rounded. */
  function exactOf(input: AuditInput) {
    const { fields, amounts } = readListing(input);
    return {
      coverage: exactCoverageOf(input.storefront.store, fields),
      targeting: amounts?.score ?? 0,
    };
  }

  /** The input without any form of the term in its texts. */
  function without(input: AuditInput, form: string): AuditInput {
    const strip = (text: string | null) =>
      text?.replace(/[\p{L}\p{N}]+/gu, (word) => (formOf(word.toLowerCase()) === form ? '' : word)) ?? null;
    const { title, subtitle, kw_field: kwField, description } = input.texts;
    const texts = {
      title: strip(title),
      subtitle: strip(subtitle),
      kw_field: strip(kwField),
      description: strip(description),
    };
    const known = new Set(listingTerms({ ...input, texts }).map(({ keyword }) => keyword));
    const terms = new Map([...input.terms].filter(([keyword]) => known.has(keyword)));
    const neighbors = input.neighbors ?? findNeighbors(input.app_id ?? '', input.terms, formOf);
    return { ...input, texts, terms, neighbors };
  }

  const held = listings.flatMap((input) => {
    const { aimed } = readListing(input);
    const isHeld = ({ gain, rank, traffic, words }: (typeof aimed)[number]) =>
      words.length === 1 && gain >= 0.25 && rank !== null && rank <= 10 && (traffic ?? 0) >= 20;
    return aimed
      .filter((term) => term.searchStatus === 'searched' && isHeld(term))
      .map((term) => ({ input, term }));
  });

  test('never raises an axis, and lowers coverage or targeting', () => {
    expect(held.length).toBeGreaterThanOrEqual(10);
    for (const { input, term } of held) {
      const before = exactOf(input);
      const after = exactOf(without(input, term.form));
      expect([term.name, after.coverage <= before.coverage, after.targeting <= before.targeting]).toEqual([
        term.name,
        true,
        true,
      ]);
      expect(after.coverage + after.targeting).toBeLessThan(before.coverage + before.targeting);
    }
  });

  test('lowers the overall score in nine of ten cases of much demand', () => {
    const counted = held.filter(
      ({ input, term }) => (term.traffic ?? 0) >= 50 && reportOf(input).global >= 30,
    );
    const costly = counted.filter(
      ({ input, term }) => reportOf(without(input, term.form)).global < reportOf(input).global,
    );
    expect(costly.length).toBeGreaterThanOrEqual(0.9 * counted.length);
  });
});
