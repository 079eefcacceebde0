import type { ScoreBreakdown, ScoreComponent } from '@shelfwise/proto/scoring/v1/score_breakdown';
import { formatBreakdown } from './format-breakdown.ts';

const now = new Date('2026-11-21T12:00:00Z');
const readAt = new Date('2026-11-21T11:57:00Z');

function part(known: Omit<ScoreComponent, 'max_points' | 'sentence'>): ScoreComponent {
  return { ...known, max_points: 50, sentence: '' };
}

const breakdown: ScoreBreakdown = {
  storefront: { store: 'ITUNES', country: 'US', lang: 'en-US' },
  keyword: 'photo editor',
  scoring_version: 1,
  scored_at: readAt,
  difficulty: 81,
  traffic: 47,
  kei: 16,
  kei_level: 'poor',
  is_navigational: false,
  search_status: 'searched',
  difficulty_components: [
    part({ name: 'A', meaning: 'How many ratings.', weight: 0.55, value: 0.9, points: 49.5 }),
  ],
  traffic_components: [
    part({ name: 'suggest', meaning: 'How early.', weight: 0, value: null, points: null }),
    part({ name: 'L', meaning: 'The biggest app.', weight: 0.5, value: 0.5, points: 23.375 }),
  ],
  intermediate_values: [
    { name: 'raw', value: 81.23456 },
    { name: 'places', value: 10 },
    { name: 'limit', value: 100 },
    { name: 'spec', value: 0.9 },
  ],
  inputs: [
    { name: 'result page', read_at: readAt, source: 'sample', note: '51 results on 2026-11-21' },
    { name: 'suggestions', read_at: null, source: '', note: 'not read' },
  ],
  apps: [
    {
      rank: 1,
      app_id: '1',
      title: 'Photo Editor',
      ratings: 12_345,
      rating: 4.5,
      installs: null,
      updated_at: new Date('2026-11-11T12:00:00Z'),
      evidence: 1,
    },
  ],
  is_partial: false,
  notes: [],
  probes: [{ prefix: 'pho', index: 2, size: 10 }],
};

const lines = (changes: Partial<ScoreBreakdown>) =>
  formatBreakdown({ ...breakdown, ...changes }, now)
    .split('\n')
    .map((line) => line.trim().replace(/ {2,}/g, ' '));

test('starts with the scores, the formula version and the time', () => {
  expect(lines({}).slice(0, 3)).toEqual([
    '"photo editor" in ITUNES US en-US',
    'difficulty 81, traffic 47, KEI 16 (poor); searched',
    'formula version 1, scored on 2026-11-21 11:57 UTC',
  ]);
});

test('shows each part with its value, weight and points', () => {
  const formatted = lines({});
  expect(formatted).toContain('A 0.900 0.550 49.5 How many ratings.');
  expect(formatted).toContain('raw 81.235, at most 100 (10 results)');
  expect(formatted).toContain('L 0.500 0.500 23.4 The biggest app.');
});

test('shows the limit that few results set for the difficulty', () => {
  const intermediateValues = [
    { name: 'raw', value: 82.4 },
    { name: 'cap', value: 100 },
    { name: 'places', value: 1 },
    { name: 'limit', value: 10 },
  ];
  expect(lines({ intermediate_values: intermediateValues })).toContain(
    'raw 82.4, cap 100, at most 10 (1 result)',
  );
});

test('shows the KEI with its level, and what held it down', () => {
  expect(lines({})).toContain('score 16, level poor');
  const brand = { kei: 39.9, kei_level: 'fair', is_navigational: true, kei_reason: 'brand' };
  expect(lines(brand)).toContain('score 39.9, level fair (at most 39.9 for a brand name)');
  expect(lines({ kei: null, kei_level: null })).toContain('KEI: unknown until both scores are known');
});

test('an unknown part is marked as unknown and has no points', () => {
  expect(lines({})).toContain('suggest unknown 0.000 - How early.');
  const formatted = lines({
    difficulty: null,
    kei: null,
    kei_level: null,
    difficulty_components: [],
    apps: [],
    probes: [],
  });
  expect(formatted[1]).toBe('difficulty -, traffic 47, KEI -; searched');
  expect(formatted).toContain('Difficulty: not measured');
  expect(formatted).toContain('Top apps: none');
});

test('shows the shortest typed text first', () => {
  const probes = [
    { prefix: 'photo editor', index: 0, size: 10 },
    { prefix: 'p', index: null, size: 10 },
    { prefix: 'pho', index: 2, size: 10 },
  ];
  expect(lines({ probes }).slice(-3)).toEqual(['"p" 10 -', '"pho" 10 3', '"photo editor" 10 1']);
});

test('shows each input with its age and source', () => {
  const formatted = lines({});
  expect(formatted).toContain('result page 3 min sample 51 results on 2026-11-21');
  expect(formatted).toContain('suggestions - - not read');
  expect(formatted).toContain('1 12,345 4.5 - 10 days 1.00 Photo Editor');
  expect(formatted).toContain('"pho" 10 3');
});
