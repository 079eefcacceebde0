import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { ScoreBreakdown } from '@shelfwise/proto/scoring/v1/score_breakdown';
import fc from 'fast-check';
import { buildApp, buildPage, buildReading, pages, readAt, suggested } from '../../../test/build-reading.ts';
import { breakDown } from './break-down.ts';
import type { KeywordReading } from './keyword-reading.ts';
import { scoreKeyword } from './score-keyword.ts';

const storefront: Storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' };

function explain(reading: Partial<KeywordReading>, keyword = 'photo editor') {
  const term = { storefront, keyword, reading: buildReading(reading) };
  return breakDown({ ...term, score: scoreKeyword(term, readAt) });
}

const early = {
  ...suggested({ kind: 'suggested', prefix: 'pho', index: 0, size: 10 }),
  probes: [
    { prefix: 'photo editor', index: 2, size: 10 },
    { prefix: 'ph', index: null, size: 10 },
  ],
};
const ten = Array.from({ length: 10 }, () => buildApp({ title: 'Photo Editor', ratings: 999_999 }));

test('the breakdown shows everything that was read: scores, parts, inputs with age and source, apps and probes', () => {
  const chart = { read_at: readAt, source: 'sample', charted: 5 };
  const found = explain({ page: buildPage(ten, { size: 87 }), suggestion: early, chart });
  expect(found).toMatchObject({
    storefront,
    keyword: 'photo editor',
    scored_at: readAt,
    difficulty: 98,
    traffic: 79,
    kei: 1.9,
    kei_level: 'poor',
    is_navigational: true,
    search_status: 'searched',
    probes: early.probes,
  });
  expect(found.inputs).toEqual([
    { name: 'result page', read_at: readAt, source: 'sample', note: '87 results on 2026-11-21' },
    {
      name: 'app details',
      read_at: readAt,
      source: 'sample',
      note: 'rating counts, installs and dates of the first ten',
    },
    {
      name: 'suggestions',
      read_at: readAt,
      source: 'sample',
      note: 'suggested from "pho" on, at place 1 of 10',
    },
    { name: 'top chart', read_at: readAt, source: 'sample', note: '5 of the first 10 results are in it' },
  ]);
  expect(found.apps).toHaveLength(10);
  expect(found.apps[9]).toMatchObject({ rank: 10, title: 'Photo Editor', ratings: 999_999, evidence: 1 });
  expect(found.intermediate_values.map(({ name }) => name)).toEqual([
    ...['raw', 'cap', 'places', 'limit', 'rel', 'relL', 'base', 'words', 'spec'],
  ]);
  expect(found.traffic_components.map(({ name }) => name)).toEqual(['suggest', 'L', 'X', 'D', 'M', 'C']);
  for (const { meaning } of [...found.difficulty_components, ...found.traffic_components]) {
    expect(meaning).toMatch(/^[A-Z].{20,}\.$/);
  }
});

test('the points of the parts add up to the difficulty before its cap, and to the traffic; each part has a sentence', () => {
  const found = explain({ page: buildPage(ten), suggestion: early });
  const sumOf = (parts: readonly { points?: number | null | undefined }[]) =>
    parts.reduce((sum, { points }) => sum + (points ?? 0), 0);
  const intermediate = (name: string) =>
    found.intermediate_values.find((value) => value.name === name)?.value ?? -1;
  expect(sumOf(found.difficulty_components)).toBeCloseTo(intermediate('raw'), 6);
  // A keyword of two words can reach 93.5 points: 100 x (.35 + .65 x .9).
  expect(sumOf(found.traffic_components)).toBeCloseTo(93.5 * intermediate('base'), 6);
  expect(Math.round(sumOf(found.traffic_components))).toBe(found.traffic);
  const [suggest] = found.traffic_components;
  expect(suggest?.sentence).toMatch(
    /^How early the store suggests .+: \d\.\d\d of 1, which adds \d+\.\d of at most \d+\.\d points\.$/,
  );
  const [unknown] = explain({ page: buildPage(ten) }).traffic_components;
  expect(unknown).toMatchObject({ value: null, points: null, max_points: 0 });
  expect(unknown?.sentence).toMatch(/: not known, so the other parts count more\.$/);
});

test('what lowers the difficulty below the sum of its parts is said', () => {
  expect(explain({ page: buildPage(ten) }).notes).toEqual([]);
  expect(explain({ page: buildPage(ten.slice(0, 3)) }).notes).toEqual([
    'With 3 results the difficulty is at most 30.',
  ]);
  const empty = explain({ page: buildPage([]), suggestion: early });
  expect(empty).toMatchObject({ difficulty: 0, difficulty_components: [] });
  expect(empty.notes).toEqual(['There are no results, so there is no app to beat, and the difficulty is 0.']);
  const [first, ...others] = ten;
  const capped = explain({
    page: buildPage([buildApp({ ...first, title: 'Zorblatt', ratings: 3 }), ...others]),
  });
  expect(capped.notes).toEqual([
    expect.stringMatching(/^The first app has few ratings, so what is above \d+\.\d /),
  ]);
});

test('the breakdown shows the number of apps to beat and the limit that it sets for the difficulty', () => {
  const found = explain({ page: buildPage(ten.slice(0, 3)) });
  expect(found.intermediate_values).toEqual(
    expect.arrayContaining([
      { name: 'places', value: 3 },
      { name: 'limit', value: 30 },
    ]),
  );
  expect(found.difficulty).toBe(30);
  const names = explain({ suggestion: early }).intermediate_values.map(({ name }) => name);
  expect(names).not.toContain('limit');
});

test('without results no app is said to be read, and a suggested term gets a caution', () => {
  const notes = (suggestion: KeywordReading['suggestion']) =>
    explain({ page: buildPage([]), suggestion }).inputs.map(({ note }) => note);
  expect(notes(early).slice(0, 2)).toEqual([
    '0 results on 2026-11-21; the store suggests the term but shows no results for it: read with care',
    'there were no results, so no apps to read',
  ]);
  expect(notes(suggested({ kind: 'absent', size: 9 }))[0]).toBe('0 results on 2026-11-21');
});

test('counts of one are in the singular', () => {
  const chart = { read_at: readAt, source: 'sample', charted: 1 };
  const notes = (size: number) =>
    explain({
      page: buildPage(ten.slice(0, size), { size }),
      suggestion: suggested({ kind: 'begins', count: 1, size: 1 }),
      chart,
    }).inputs.map(({ note }) => note);
  expect(notes(1)).toEqual([
    '1 result on 2026-11-21',
    'rating counts, installs and dates of the first ten',
    'never suggested itself, but the start of 1 of 1 suggestion',
    '1 of 1 result is in it',
  ]);
  expect(notes(10)[3]).toBe('1 of the first 10 results is in it');
});

test('app details without a known value promise none', () => {
  const unknown = buildApp({ ratings: null, installs: null, updated_at: null });
  const [known] = ten;
  const noteOf = (apps: (typeof unknown)[]) => explain({ page: buildPage(apps) }).inputs[1]?.note;
  expect(noteOf(Array(10).fill(unknown))).toBe(
    'rating counts, installs and dates of the first ten: none known',
  );
  expect(noteOf([unknown, known ?? unknown])).toBe('rating counts, installs and dates of the first ten');
});

test('an input that was not read is marked as such and has no score', () => {
  const found = explain({});
  expect(found).toMatchObject({
    difficulty: null,
    traffic: null,
    search_status: 'pending',
    apps: [],
    probes: [],
  });
  expect(found.kei).toBeUndefined();
  expect(found.difficulty_components).toEqual([]);
  expect(found.inputs.map(({ read_at: readAt, note }) => [readAt, note])).toEqual(
    Array(4).fill([null, 'not read']),
  );
});

test.each([
  [{ kind: 'begins', count: 2, size: 9 }, 'never suggested itself, but the start of 2 of 9 suggestions'],
  [{ kind: 'absent', size: 9 }, 'not among 9 suggestions, nor the start of one'],
] as const)('%j is described in words', (match, note) => {
  expect(explain({ suggestion: suggested(match) }).inputs[2]?.note).toBe(note);
});

test('the weights are the renormalized ones, so that a reader can recompute raw and base', () => {
  fc.assert(
    fc.property(pages(1), fc.constantFrom(null, early), (page, suggestion) => {
      const found = explain({ page, suggestion });
      const values = new Map(found.intermediate_values.map(({ name, value }) => [name, value]));
      for (const [score, components, result] of [
        [found.difficulty, found.difficulty_components, (values.get('raw') ?? 0) / 100],
        [found.traffic, found.traffic_components, values.get('base') ?? 0],
      ] as const) {
        expect(components.length === 0).toBe(score === null);
        if (score === null) continue;
        expect(components.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 9);
        expect(components.reduce((sum, { weight, value }) => sum + weight * (value ?? 0), 0)).toBeCloseTo(
          result,
          9,
        );
        for (const { weight, value } of components) expect(weight === 0).toBe(value === null);
      }
    }),
  );
});

test('the breakdown survives encoding and decoding', () => {
  const page = buildPage([buildApp({ ratings: null, rating: null, updated_at: null })], {
    details_read_at: null,
  });
  const sent = ScoreBreakdown.decode(ScoreBreakdown.encode(explain({ page, suggestion: early })).finish());
  expect(sent.difficulty ?? null).toBeNull();
  expect(sent.apps[0]?.ratings ?? null).toBeNull();
  expect(sent.inputs[1]).toEqual({
    name: 'app details',
    read_at: null,
    source: 'sample',
    note: 'not read',
  });
  expect(sent.probes[1]).toMatchObject({ prefix: 'ph', size: 10 });
});
