import type { TargetedTerm } from '../domain/audit/aso-report.ts';
import { notesOnTargeting } from './notes-on-targeting.ts';

const term = (name: string, changes: Partial<TargetedTerm> = {}): TargetedTerm => ({
  name,
  field: 'kw_field',
  traffic: 50,
  difficulty: 40,
  relevance: 1,
  relevance_parts: null,
  rank: null,
  gain: 1,
  listing_gain: 1,
  credit: 1,
  won: 40,
  lost: 0,
  own_brand: false,
  same_as: null,
  verdict: 'reachable',
  reason: null,
  is_partial: false,
  scored_at: null,
  ...changes,
});
const delta = (coverage: number | null, targeting: number | null) => ({
  global: -2,
  coverage,
  targeting,
  appeal: 0,
});
const costly = [
  term('call', { won: 5, lost: 30 }),
  term('chat', { won: 0, verdict: 'out-of-reach' }),
  term('recipe', { won: 0, lost: 50 }),
  term('group', { won: 20, lost: 30 }),
];

test('when coverage rises and targeting falls, the terms that lower it are named', () => {
  expect(notesOnTargeting(delta(20, -40), costly, [])).toEqual([
    'Coverage rises by 20 and targeting falls by 40: the draft adds searched words and phrases that are hardly the app’s business (“call”, “recipe”).',
  ]);
});

test('terms that the listing has already are not named', () => {
  const [note] = notesOnTargeting(delta(20, -40), costly, [term('call', { field: 'title' })]);
  expect(note).toMatch(/\(“recipe”\)\.$/);
  expect(notesOnTargeting(delta(20, -40), costly, costly)).toEqual([]);
});

test('of many terms the first five are named', () => {
  const many = Array.from({ length: 7 }, (_, index) => term(`word ${index}`, { won: 0, lost: 50 }));
  expect(notesOnTargeting(delta(1, -1), many, [])[0]).toMatch(/\(“word 0”.* “word 4” and 2 more\)\.$/);
});

test.each([
  ['nothing is compared', null, costly],
  ['an axis is not compared', delta(20, null), costly],
  ['targeting rises', delta(20, 1), costly],
  ['coverage falls, too', delta(-1, -4), costly],
  ['no term explains it', delta(20, -4), [term('chat'), term('unread', { won: null, lost: null })]],
])('there is no note when %s', (_when, deltas, terms) => {
  expect(notesOnTargeting(deltas, terms, [])).toEqual([]);
});
