import { createWordForms, foldForComparison } from './word-form.ts';

test.each([
  ['Pokémon GO', 'pokemon go'],
  ['Ångström', 'angstrom'],
  ['Καλημέρα', 'καλημερα'],
  ['ガイド', 'ガイド'],
  ['हिन्दी', 'हिन्दी'],
  ['가나다', '가나다'],
  ['STRASSE Straße', 'strasse strasse'],
])('%s is compared as %s', (text, folded) => {
  expect(foldForComparison(text)).toBe(folded.normalize('NFC'));
});

test.each([
  ['en-US', 'games', 'game'],
  ['en', 'news', 'news'],
  ['en', 'bus', 'bus'],
  ['en', 'chess', 'chess'],
  ['en', 'tennis', 'tennis'],
  ['en', 'gas', 'gas'],
  ['en', 'cars', 'car'],
  ['en', 'g2s', 'g2s'],
  ['fr-FR', 'photos', 'photo'],
  ['es', 'juegos', 'juego'],
  ['pt-BR', 'jogos', 'jogo'],
  ['nl', 'fotos', 'foto'],
  ['de', 'autos', 'autos'],
  ['ja', 'games', 'games'],
])('in %s, %s is compared as %s', (lang, word, form) => {
  expect(createWordForms(lang)(word)).toBe(form);
});
