import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { auditListing } from '../src/domain/audit/audit-listing.ts';
import { creditOf } from '../src/domain/audit/axes/reach.ts';
import { readListing } from '../src/domain/audit/read-listing.ts';
import { difficultyOf } from '../src/domain/keyword/difficulty.ts';
import { keiOf } from '../src/domain/keyword/kei.ts';
import { topResultsOf } from '../src/domain/keyword/top-result.ts';
import { trafficOf } from '../src/domain/keyword/traffic.ts';
import { buildAuditInput, searched } from './build-audit-input.ts';
import { buildApp, buildPage, daysAgo, readAt } from './build-reading.ts';

/** The example of docs/scoring-alone.md. */
const text =
  readFileSync(join(__dirname, '../../../docs/scoring-alone.md'), 'utf8').split('## A worked example')[1] ??
  '';

/** The rows of a table, by its first head. */
function rowsOf(head: string): string[][] {
  const lines = text.slice(text.indexOf(`| ${head} |`)).split('\n');
  const table = lines.slice(
    0,
    lines.findIndex((line) => !line.startsWith('|')),
  );
  return table.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const twoDecimals = (value: number | null) => String(Math.round(100 * (value ?? Number.NaN)) / 100);

const results = topResultsOf(
  'photo collage',
  buildPage(
    rowsOf('rank').map(([rank = '', title = '', ratings, stars, days]) =>
      buildApp({
        app_id: rank,
        title,
        ratings: Number(ratings),
        rating: Number(stars),
        updated_at: daysAgo(Number(days)),
      }),
    ),
  ),
  'en-US',
);
const difficulty = difficultyOf(results, readAt);
const suggestion = { kind: 'suggested', prefix: 'photo c', index: 1, size: 8 } as const;
const traffic = trafficOf({ results, match: suggestion, charted: 1, words: 2 });

test('how well the titles name the keyword', () => {
  expect(results.map(({ evidence }) => String(evidence))).toEqual(rowsOf('rank').map((row) => row[5]));
});

test('the parts and scores of the keyword', () => {
  const [difficultyRow, trafficRow, keiRow] = rowsOf('score');
  const partsOf = (row: string[] | undefined) =>
    [...(row?.[1] ?? '').matchAll(/(\w+) (\d[\d.]*)/g)].map(([, name = '', value = '']) => [name, value]);
  const computed = (parts: object) =>
    Object.entries(parts).map(([name, value]) => [name, twoDecimals(value as number)]);
  const { A, T, S, Q, F } = difficulty?.parts ?? {};
  expect(partsOf(difficultyRow)).toEqual(computed({ A, T, S, Q, F }));
  const { suggest, L, X, D, M, C, base = 0, spec = 0 } = traffic?.parts ?? {};
  expect(partsOf(trafficRow)).toEqual([...computed({ suggest, L, X, D, M, C }), ['base', base.toFixed(3)]]);
  expect(trafficRow?.[1]).toContain(`two words: ${0.35 + 0.65 * spec}`);
  expect([difficulty?.score, traffic?.score].map(String)).toEqual([difficultyRow?.[2], trafficRow?.[2]]);
  const kei = keiOf({ traffic: 51, difficulty: 57, results: 6, isNavigational: false, isSearched: true });
  expect(String(kei.score)).toBe(keiRow?.[2]);
});

/** A page with the app at a rank and with some of its neighbors first; the others are strangers. */
function pageWith(term: string, rank: number | null, neighbors: number): string[] {
  const known = Array.from({ length: neighbors }, (_, at) => `neighbor ${at}`);
  const strangers = Array.from({ length: 60 }, (_, at) => `${term} ${at}`);
  const ids = [...known, ...strangers];
  return rank === null ? ids : ids.toSpliced(rank - 1, 0, 'own');
}

const rows = rowsOf('term');
const input = buildAuditInput('ITUNES', {
  app_id: 'own',
  texts: { title: 'Photo Collage', subtitle: 'Violin' },
  context: { rating_count: 12_000 },
  terms: Object.fromEntries(
    rows.map(([term = '', termTraffic, termDifficulty, rank, neighbors]) => {
      const ids = pageWith(term, rank === 'none' ? null : Number(rank), Number(neighbors));
      const score = searched(Number(termTraffic), Number(termDifficulty));
      return [term, { ...score, page: { app_ids: ids, genres: null } }];
    }),
  ),
});

test('relevance, gain and credit of each term', () => {
  const { fitOf } = readListing(input);
  for (const [term = '', , termDifficulty, , , relevance, gain, credit] of rows) {
    const fit = fitOf(term);
    expect([fit.relevance, fit.gain].map(twoDecimals)).toEqual([relevance, gain]);
    expect(twoDecimals(creditOf(2, { difficulty: Number(termDifficulty), rank: fit.rank }))).toBe(credit);
  }
});

test('coverage and targeting', () => {
  const { report } = auditListing(input);
  const stated = (name: string) => Number(text.match(new RegExp(`- ${name} (\\d+):`))?.[1]);
  expect(report.tier).toBe(2);
  expect(report.axes.slice(0, 2).map(({ score }) => score)).toEqual([
    stated('Coverage'),
    stated('Targeting'),
  ]);
  expect(report.fields.slice(0, 2).map(({ score }) => score)).toEqual([51, 0]);
});
