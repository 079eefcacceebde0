import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { shareSampleCatalog } from '../../../test/share-sample-catalog.ts';

const us: Storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' };
const catalog = shareSampleCatalog({ now: () => new Date('2026-11-21T12:00:00Z') });

/** How many letters of a term must be typed until the store suggests it; null if it never does. */
function shortestPrefix(storefront: Storefront, term: string): number | null {
  for (let length = 1; length <= term.length; length++) {
    if (catalog.suggest(storefront, term.slice(0, length), 10).includes(term)) return length;
  }
  return null;
}

const popularTerms =
  `photo editor, habit tracker, budget planner, weather, calculator, to do list, notes, calendar,
  vpn, meditation, sleep tracker, recipes, translator, dictionary, podcasts, sudoku, solitaire,
  chess, horoscope, workout app, step counter, yoga, calorie counter, journal, period tracker,
  dating app, video editor, collage maker, wallpapers, keyboard, file manager, voice recorder,
  pdf scanner, flight tracker, hotels, language learning, flashcards, math solver, news,
  live scores, messenger, word search, racing games`.split(/,\s+/);

test.each(popularTerms)('%s is suggested before half of it is typed', (term) => {
  expect(shortestPrefix(us, term)).toBeLessThanOrEqual(Math.max(4, term.length / 2));
});

test('a popular term needs fewer letters than an obscure one, and a term without searches is never suggested', () => {
  const popular = ['photo editor', 'weather', 'video editor', 'vpn', 'puzzle games'].map(
    (term) => shortestPrefix(us, term) ?? 99,
  );
  const obscure = [
    'photo frames',
    'weather with clothes',
    'bill planner',
    'spelling game',
    'small business invoices',
  ];
  expect(Math.max(...popular)).toBeLessThanOrEqual(2);
  for (const term of obscure) expect(shortestPrefix(us, term) ?? 99).toBeGreaterThan(3);
  expect(shortestPrefix(us, 'photo editor for left handed pilots')).toBeNull();
});

test('a suggested term stays suggested while the rest of it is typed', () => {
  for (const term of ['photo editor', 'habit tracker', 'pomodoro timer', 'weather radar', 'bill planner']) {
    const from = shortestPrefix(us, term) ?? term.length + 1;
    for (let length = from; length <= term.length; length++) {
      expect(catalog.suggest(us, term.slice(0, length), 10)).toContain(term);
    }
  }
});

const latin = [...'abcdefghijklmnopqrstuvwxyz'];
const syllables = [...'あいうかきくこさしすせそたちつてとなにはひふへほまみむめもやゆりれ'];

test.each([
  ['US', 'en-US', ['photo editor', 'habit tracker', 'budget planner', 'meditation', 'recipes'], latin],
  ['US', 'en-US', ['language learning', 'puzzle games', 'sudoku', 'weather', 'dating app'], latin],
  [
    'DE',
    'de-DE',
    ['haushaltsbuch', 'kalender', 'wetter', 'rezepte', 'sprachen lernen', 'fitness app'],
    latin,
  ],
  ['JP', 'ja-JP', ['家計簿', 'カレンダー', '天気', '筋トレ', 'レシピ', '瞑想', '英語'], syllables],
])(
  'in %s (%s) a topic has longer searches after several letters, so that a niche can be explored',
  (country, lang, explored, letters) => {
    const storefront = { store: 'ITUNES', country, lang } as const;
    for (const topic of explored) {
      const found = new Set(
        letters.flatMap((letter) => catalog.suggest(storefront, `${topic} ${letter}`, 10)),
      );
      expect([...found].filter((term) => term.startsWith(`${topic} `)).length).toBeGreaterThanOrEqual(7);
      expect(catalog.suggest(storefront, topic, 10)).toContain(topic);
    }
  },
);

test('a Japanese search is suggested while its last word is being typed in Hiragana', () => {
  for (const [typed, term] of [
    ['家計簿 ふ', '家計簿 夫婦'],
    ['家計簿 れし', '家計簿 レシート'],
    ['天気 あぷり', '天気 アプリ'],
    ['レシピ つくりおき', 'レシピ 作り置き'],
  ] as const)
    expect(catalog.suggest({ store: 'ITUNES', country: 'JP', lang: 'ja-JP' }, typed, 10)).toContain(term);
});

test('no search asks for something that an app of the topic cannot do, or repeats a word', () => {
  for (const [lang, searches] of [
    ['en-US', ['vpn offline', 'photo editor widget', 'dating app offline', 'app app']],
    ['de-DE', ['vpn offline', 'fitness app app', 'wetter widget widget']],
    ['ja-JP', ['VPN オフライン', '天気 ウィジェット ウィジェット']],
  ] as const)
    for (const search of searches) {
      const storefront = { store: 'ITUNES', country: 'US', lang } as const;
      expect(catalog.suggest(storefront, search, 10)).not.toContain(search.toLowerCase());
    }
});

test.each([
  ['DE', 'de-DE', 'haus', 'haushaltsbuch'],
  ['FR', 'fr-FR', 'mét', 'météo'],
  ['ES', 'es-ES', 'edi', 'editor de fotos'],
  ['BR', 'pt-BR', 'tre', 'treino em casa'],
  ['JP', 'ja-JP', '家', '家計簿'],
])('in %s (%s) %s is completed to %s', (country, lang, prefix, term) => {
  for (const store of ['ITUNES', 'GPLAY'] as const) {
    expect(catalog.suggest({ store, country, lang }, prefix, 10)).toContain(term);
  }
});

test('a large brand is suggested by its name', () => {
  const [app] = catalog.search(us, 'meditation', 1);
  const name =
    catalog
      .apps('ITUNES')
      .find(({ appId }) => appId === app?.app_id)
      ?.brand.name.toLowerCase() ?? '';
  expect(shortestPrefix(us, name)).not.toBeNull();
});

test('the order changes over weeks, and hardly from one day to the next', () => {
  const on = (day: string) => shareSampleCatalog({ now: () => new Date(`${day}T12:00:00Z`) });
  const lists = (day: string) => {
    const dated = on(day);
    return [...'abcdefghijklmnoprstvw'].map((letter) => dated.suggest(us, letter, 10).join());
  };
  const changed = (a: string[], b: string[]) => a.filter((list, index) => list !== b[index]).length;
  const [today, tomorrow, later] = [lists('2026-11-21'), lists('2026-11-22'), lists('2027-01-21')];
  expect(changed(today, later)).toBeGreaterThan(changed(today, tomorrow));
  expect(changed(today, later)).toBeGreaterThan(10);
});

test('the App Store returns at most ten, Google Play five, and fewer when fewer are requested', () => {
  expect(catalog.suggest(us, 'photo', 50)).toHaveLength(10);
  expect(catalog.suggest({ ...us, store: 'GPLAY' }, 'photo', 50)).toHaveLength(5);
  expect(catalog.suggest(us, 'photo', 3)).toEqual(catalog.suggest(us, 'photo', 10).slice(0, 3));
});

test.each(['', ' ', 'zxqv', '!!!', '🦄'])('%j is completed to nothing', (prefix) => {
  expect(catalog.suggest(us, prefix, 10)).toEqual([]);
});
