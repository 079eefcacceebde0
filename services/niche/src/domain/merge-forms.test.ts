import { buildNicheTerm } from '../../test/build-niche-term.ts';
import { mergeForms } from './merge-forms.ts';
import type { NicheTerm } from './niche-term.ts';

const merge = (names: readonly string[], lang: string) =>
  mergeForms(
    names.map((name, at) => [buildNicheTerm(name, { traffic: 90 - at })]),
    lang,
  ).map((members) => members.map(({ keyword }) => keyword));

test.each([
  ['video', 'videos', 'en-US'],
  ['puzzle games', 'puzzles game', 'en-US'],
  ['to-do list', 'todo list', 'en-US'],
  ['photo editor', 'photoeditor', 'en-US'],
  ['to-do liste', 'todo liste', 'de-DE'],
])('%s and %s are one niche in %s', (one, other, lang) => {
  expect(merge([one, other], lang)).toEqual([[one, other]]);
});

test.each([
  ['new', 'news', 'en-US'],
  ['video', 'video maker', 'en-US'],
  ['🔥', '🎉', 'en-US'],
])('%s and %s are two niches in %s', (one, other, lang) => {
  expect(merge([one, other], lang)).toEqual([[one], [other]]);
});

const term = (keyword: string, traffic: number) => buildNicheTerm(keyword, { traffic });
const mergeTerms = (clusters: readonly (readonly NicheTerm[])[]) =>
  mergeForms(clusters, 'en-US').map((members) => members.map(({ keyword }) => keyword));

test('a merged niche has all terms of both, the most searched first', () => {
  const clusters = [
    [term('video', 80), term('clip', 40)],
    [term('movie', 70), term('film', 30)],
    [term('videos', 60), term('scene', 50)],
  ];
  expect(mergeTerms(clusters)).toEqual([
    ['video', 'videos', 'scene', 'clip'],
    ['movie', 'film'],
  ]);
});

test('a niche joins another whose terms include a form of its name; forms of its other terms do not count', () => {
  const meditation = [term('meditation', 80), term('guided meditation', 40)];
  expect(mergeTerms([meditation, [term('guided meditations', 60), term('calm', 50)]])).toEqual([
    ['meditation', 'guided meditations', 'calm', 'guided meditation'],
  ]);
  expect(mergeTerms([meditation, [term('calm', 60), term('guided meditations', 50)]])).toHaveLength(2);
});
