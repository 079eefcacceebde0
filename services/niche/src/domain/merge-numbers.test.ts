import { buildNicheTerm } from '../../test/build-niche-term.ts';
import { mergeNumbers } from './merge-numbers.ts';

const merge = (names: readonly string[], lang: string) =>
  mergeNumbers(
    names.map((name, at) => [buildNicheTerm(name, { traffic: 90 - at })]),
    lang,
  ).map((members) => members.map(({ keyword }) => keyword));

test.each([
  ['video', 'videos', 'en-US'],
  ['recipe', 'recipes', 'en-GB'],
  ['puzzle games', 'puzzles game', 'en-US'],
  ['story', 'stories', 'en-US'],
  ['box', 'boxes', 'en-US'],
  ['brush', 'brushes', 'en-US'],
  ['to-do list', 'todo list', 'en-US'],
  ['photo editor', 'photoeditor', 'en-US'],
  ['jeu', 'jeux', 'fr-FR'],
  ['recette', 'recettes', 'fr-FR'],
  ['receta', 'recetas', 'es-ES'],
  ['editor', 'editores', 'es-MX'],
  ['receita', 'receitas', 'pt-BR'],
  ['to-do liste', 'todo liste', 'de-DE'],
])('%s and %s are one niche in %s', (one, other, lang) => {
  expect(merge([one, other], lang)).toEqual([[one, other]]);
});

test.each([
  ['new', 'news', 'en-US'],
  ['bus', 'bu', 'en-US'],
  ['fitness', 'fitnes', 'en-US'],
  ['video', 'videos', 'ja-JP'],
  ['auto', 'autos', 'de-DE'],
  ['video', 'video maker', 'en-US'],
  ['🔥', '🎉', 'en-US'],
])('%s and %s are two in %s', (one, other, lang) => {
  expect(merge([one, other], lang)).toEqual([[one], [other]]);
});

test('only the most searched terms are compared; all terms of both are in the one niche, the most searched first', () => {
  const term = (keyword: string, traffic: number) => buildNicheTerm(keyword, { traffic });
  const clusters = [
    [term('video', 80), term('clip', 40)],
    [term('movie', 70), term('clips', 30)],
    [term('videos', 60), term('film', 50)],
  ];
  const names = mergeNumbers(clusters, 'en-US').map((members) => members.map(({ keyword }) => keyword));
  expect(names).toEqual([
    ['video', 'videos', 'film', 'clip'],
    ['movie', 'clips'],
  ]);
});
