import { categories, overallCategory } from '@shelfwise/facts/stores/categories';
import { type Store, stores } from '@shelfwise/facts/stores/store';
import { buildNicheApp, buildNicheTerm, tenApps } from '../../test/build-niche-term.ts';
import { intentOfGenre } from './genre-intents.ts';
import { intentOf } from './intent.ts';
import type { NicheTerm } from './niche-term.ts';

const intent = (terms: readonly NicheTerm[], store: Store = 'ITUNES', lang = 'en-US') =>
  intentOf(terms, { store, lang });
const inGenres = (...keys: (string | null)[]) => ({
  top: keys.map((genreKey) => buildNicheApp({ genre_key: genreKey })),
});

test.each([
  ['ITUNES', '6007', 'utility'],
  ['ITUNES', '6013', 'lifestyle'],
  ['ITUNES', '6014', 'games'],
  ['ITUNES', '6017', 'learning'],
  ['ITUNES', '6005', 'social'],
  ['ITUNES', '6016', 'entertainment'],
  ['ITUNES', '6024', 'shopping'],
  ['GPLAY', 'GAME_PUZZLE', 'games'],
  ['GPLAY', 'DATING', 'social'],
  ['GPLAY', 'HEALTH_AND_FITNESS', 'lifestyle'],
  ['GPLAY', 'TOOLS', 'utility'],
] as const)('the intent of %s category %s is %s', (store, genreKey, expected) => {
  expect(intent([buildNicheTerm('some term', { top: tenApps(1, { genre_key: genreKey }) })], store)).toBe(
    expected,
  );
});

test('every category of both stores has an intent, and categories of games have games', () => {
  const generic = ['utility', 'entertainment', 'games', 'learning', 'social', 'lifestyle', 'shopping'];
  for (const store of stores) {
    for (const { key } of categories[store]) {
      if (key === overallCategory) continue;
      expect([key, generic]).toEqual([key, expect.arrayContaining([intentOfGenre(store, key)])]);
      const isGame = key === '6014' || key.startsWith('7') || /^GAME/.test(key);
      expect([key, intentOfGenre(store, key) === 'games']).toEqual([key, isGame]);
    }
  }
});

test('the genre with the most results over all terms counts', () => {
  expect(
    intent([
      buildNicheTerm('a1', inGenres('6014', '6014')),
      buildNicheTerm('b1', inGenres('6013', '6013', '6013')),
    ]),
  ).toBe('lifestyle');
});

test('equally frequent genres with different intents are utility; with the same intent there is no tie', () => {
  expect(intent([buildNicheTerm('a1', inGenres('6014', '6013'))])).toBe('utility');
  expect(intent([buildNicheTerm('a1', inGenres('6012', '6013'))])).toBe('lifestyle');
});

test('unknown genres do not count', () => {
  expect(intent([buildNicheTerm('a1', inGenres(null, null, '6017'))])).toBe('learning');
  expect(intent([buildNicheTerm('a1', inGenres('OVERALL', 'NO_SUCH_GENRE', '6017'))])).toBe('learning');
  expect(intent([buildNicheTerm('a1', inGenres(null))])).toBe('utility');
  expect(intent([buildNicheTerm('a1', { top: [] })])).toBe('utility');
});

describe('brands', () => {
  const brand = (traffic: number) => buildNicheTerm('larkling', { traffic, isNavigational: true });
  const topic = (traffic: number) => buildNicheTerm('learn spanish', { traffic });

  test('a niche is navigational when its name and most of its searches name a brand', () => {
    expect(intent([brand(50)])).toBe('navigational');
    expect(intent([brand(50), brand(40), topic(49)])).toBe('navigational');
  });

  test('a niche named after a brand is not navigational when most of its searches want something else', () => {
    expect(intent([brand(50), topic(49), topic(49)])).toBe('utility');
  });

  test('a niche with a generic name is not navigational, however many of its searches name a brand', () => {
    expect(intent([topic(50), brand(49), brand(49)])).toBe('utility');
  });
});

describe('questions', () => {
  test.each([
    ['how to draw', 'en-US'],
    ['what is my ip', 'en-GB'],
    ['how to draw', 'ja-JP'],
    ['how long is a marathon', 'en-US'],
    ['where is my phone', 'en-US'],
    ['when is easter', 'en-US'],
    ['wie zeichnet man', 'de-DE'],
    ['wie man zeichnet', 'de-DE'],
    ['como dibujar', 'es-ES'],
    ['como se dibuja', 'es-MX'],
    ['como desenhar', 'pt-BR'],
    ['come disegnare', 'it-IT'],
    ['où est mon chat', 'fr-FR'],
    ['絵の描き方', 'ja-JP'],
    ['パンの作り方', 'ja-JP'],
    ['タイ料理 作り方', 'ja-JP'],
    ['comment dessiner', 'fr-FR'],
    ['was ist das', 'de-DE'],
    ['cómo dibujar', 'es-ES'],
    ['o que é isso', 'pt-BR'],
    ["cos'è la borsa", 'it-IT'],
    ['как рисовать', 'ru-RU'],
    ['絵の描き方 やり方', 'ja-JP'],
    ['그림 그리는 방법', 'ko-KR'],
    ['如何画画', 'zh-Hans'],
    ['borsa nedir', 'tr-TR'],
    ['resim nasıl çizilir', 'tr-TR'],
    ["qu'est-ce que la bourse", 'fr-FR'],
    ['c’est quoi', 'fr-FR'],
    ['Что такое акции', 'ru-RU'],
    ['perché', 'it-IT'],
    ['hoe werkt het', 'nl-NL'],
    ['hur gör man', 'sv-SE'],
    ['كيف أرسم', 'ar-SA'],
  ])('%s (%s) is informational', (keyword, lang) => {
    expect(intent([buildNicheTerm(keyword)], 'ITUNES', lang)).toBe('informational');
  });

  test.each([
    ['how to', 'howtown guide', 'en-US'],
    ['why', 'whynot', 'en-US'],
    ['como', 'como', 'it-IT'],
    ['como', 'como app', 'es-ES'],
    ['como', 'como', 'pt-BR'],
    ['come', 'come home', 'it-IT'],
    ['how', 'how we feel', 'en-US'],
    ['方', '夕方', 'ja-JP'],
  ])('“%s” does not make “%s” a question', (_, keyword, lang) => {
    expect(intent([buildNicheTerm(keyword)], 'ITUNES', lang)).toBe('utility');
  });

  test('the name of a brand is no question', () => {
    expect(intent([buildNicheTerm('how to larkling', { isNavigational: true })])).toBe('navigational');
  });
});

test('a niche whose name asks a question is informational, also when most of its searches do not', () => {
  const terms = ['how to sleep', 'sleep sounds', 'sleep timer', 'sleep music'].map((keyword) =>
    buildNicheTerm(keyword, { traffic: 40, top: tenApps(1, { genre_key: '6013' }) }),
  );
  expect(intent(terms)).toBe('informational');
  expect(intent(terms.toReversed())).toBe('lifestyle');
});
