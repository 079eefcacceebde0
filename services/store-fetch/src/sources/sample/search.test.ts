import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { shareSampleCatalog } from '../../../test/share-sample-catalog.ts';

const us: Storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' };
const usPlay: Storefront = { store: 'GPLAY', country: 'US', lang: 'en-US' };

let now = new Date('2026-11-21T12:00:00Z');
const catalog = shareSampleCatalog({ now: () => now });
beforeEach(() => {
  now = new Date('2026-11-21T12:00:00Z');
});

const everydayTerms =
  `photo editor, habit tracker, budget planner, expense tracker, bill reminder, savings goals,
  weather, calculator, to do list, notes, calendar, pdf scanner, qr code reader, vpn, file manager,
  voice recorder, keyboard, wallpapers, video editor, collage maker, drawing app, workout,
  step counter, running app, yoga, calorie counter, intermittent fasting, water reminder,
  meditation, sleep tracker, journal, period tracker, horoscope, dating app, recipes, meal planner,
  coupons, trip planner, flight tracker, hotels, translator, gps navigation, language learning,
  flashcards, math solver, dictionary, podcasts, music player, guitar tuner, news, live scores,
  messenger, sudoku, solitaire, chess, racing games, tower defense, word search, coloring book,
  password manager`.split(/,\s+/);

test.each(everydayTerms)('%s finds a page of apps in the United States', (term) => {
  for (const storefront of [us, usPlay]) {
    const apps = catalog.search(storefront, term, 200);
    expect(apps.length).toBeGreaterThanOrEqual(10);
    const named = apps
      .slice(0, 10)
      .filter(({ title }) =>
        (title ?? '').toLowerCase().includes(term.split(' ')[0]?.replace(/s$/, '') ?? ''),
      );
    expect(named.length).toBeGreaterThanOrEqual(3);
  }
});

test.each([
  ['DE', 'de-DE', 'haushaltsbuch', /haushaltsbuch/i],
  ['DE', 'de-DE', 'Übersetzer', /übersetzer/i],
  ['FR', 'fr-FR', 'retouche photo', /retouche photo/i],
  ['FR', 'fr-FR', 'meteo', /météo/i],
  ['ES', 'es-ES', 'editor de fotos', /editor de fotos/i],
  ['BR', 'pt-BR', 'treino em casa', /treino em casa/i],
  ['JP', 'ja-JP', '家計簿', /家計簿/],
  ['JP', 'ja-JP', '天気', /天気/],
])('in %s (%s) %s finds apps whose texts contain it', (country, lang, term, named) => {
  for (const store of ['ITUNES', 'GPLAY'] as const) {
    const apps = catalog.search({ store, country, lang }, term, 30);
    expect(apps.length).toBeGreaterThanOrEqual(5);
    expect(apps.slice(0, 5).filter(({ title }) => named.test(title ?? '')).length).toBeGreaterThanOrEqual(2);
  }
});

test.each(['zxqvwk', 'qqqq wwww', '🦄🦄', '!!!', '', ' ', 'ξψω', '𠜎𠜱'])('%j finds nothing', (term) => {
  expect(catalog.search(us, term, 50)).toEqual([]);
});

test('letter case, spaces and the full-width spelling of a term do not matter', () => {
  const expected = catalog.search(us, 'photo editor', 50);
  expect(catalog.search(us, '  PHOTO   Editor ', 50)).toEqual(expected);
  expect(catalog.search(us, 'ＰＨＯＴＯ editor', 50)).toEqual(expected);
});

test('an unfinished or slightly different word finds the same kind of app', () => {
  for (const term of ['photo edit', 'photos editing', 'budget plan', 'budgeting planner']) {
    expect(catalog.search(us, term, 50).length).toBeGreaterThan(20);
  }
});

test('a search for the name of an app finds it first', () => {
  for (const app of catalog.apps('ITUNES').slice(0, 200)) {
    const found = catalog.search(us, app.brand.name, 5).map((app) => app.app_id);
    if (isSoldToday(app.appId)) expect(found[0]).toBe(app.appId);
  }
});

test('the App Store returns as many rows as requested, up to 200; Google Play about 30', () => {
  expect(catalog.search(us, 'photo editor', 7)).toHaveLength(7);
  expect(catalog.search(us, 'photo editor', 1_000).length).toBeLessThanOrEqual(200);
  expect(catalog.search(us, 'photo editor', 1_000).length).toBeGreaterThan(60);
  expect(catalog.search(usPlay, 'photo editor', 200)).toHaveLength(30);
  expect(catalog.search(us, 'photo editor', 7)).toEqual(catalog.search(us, 'photo editor', 200).slice(0, 7));
});

test('rows of Google Play have neither genre nor number of ratings, rows of the App Store have both', () => {
  expect(
    catalog.search(usPlay, 'weather', 30).every(({ genre, ratings }) => genre === null && ratings === null),
  ).toBe(true);
  expect(catalog.search(us, 'weather', 30).every(({ genre, ratings }) => genre && ratings !== null)).toBe(
    true,
  );
});

test('the row and the page of an app agree', () => {
  for (const row of catalog.search(us, 'meditation', 20))
    expect(catalog.listing(us, row.app_id)).toMatchObject(row);
});

test('from day to day the top of a page stays and the rest moves slightly', () => {
  const moves = { top: [] as number[], rest: [] as number[], kept: [] as number[] };
  const terms = ['photo editor', 'habit tracker', 'weather', 'budget planner', 'racing games', 'vpn'];
  for (let day = 1; day <= 10; day++) {
    for (const term of terms) {
      const page = pageOn(term, day);
      const next = pageOn(term, day + 1);
      const move = (id: string, rank: number) =>
        next.includes(id) ? [Math.abs(next.indexOf(id) - rank)] : [];
      moves.top.push(...page.slice(0, 3).flatMap(move));
      moves.rest.push(...page.slice(10).flatMap((id, index) => move(id, index + 10)));
      moves.kept.push(page.slice(0, 10).filter((id) => next.slice(0, 10).includes(id)).length);
    }
  }
  expect(mean(moves.top)).toBeGreaterThan(0);
  expect(mean(moves.top)).toBeLessThan(0.6);
  expect(mean(moves.rest)).toBeGreaterThan(mean(moves.top));
  expect(mean(moves.rest)).toBeLessThan(6);
  expect(mean(moves.kept)).toBeGreaterThan(8.5);
  expect(Math.min(...moves.kept)).toBeGreaterThanOrEqual(6);
});

test('terms with the same purpose share results, other terms do not, so that niches can be distinguished', () => {
  const shared = (a: string, b: string) => {
    const ids = topTen(a);
    return topTen(b).filter((id) => ids.includes(id)).length;
  };
  expect(shared('budget planner', 'budget app')).toBeGreaterThanOrEqual(4);
  expect(shared('bill reminder', 'bill tracker')).toBeGreaterThanOrEqual(4);
  expect(shared('savings goals', 'savings tracker')).toBeGreaterThanOrEqual(4);
  expect(shared('bill reminder', 'stock market')).toBeLessThanOrEqual(1);
  expect(shared('budget planner', 'solitaire')).toBe(0);
});

function topTen(term: string): string[] {
  return catalog.search(us, term, 10).map((app) => app.app_id);
}

function pageOn(term: string, day: number): string[] {
  now = new Date(Date.UTC(2026, 10, day, 12));
  return catalog.search(us, term, 100).map((app) => app.app_id);
}

function isSoldToday(appId: string): boolean {
  try {
    return catalog.listing(us, appId).app_id === appId;
  } catch {
    return false;
  }
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

test.each([
  ['US', 'en-US', 'recipes', 'recipes without ads'],
  ['US', 'en-US', 'habit tracker', 'habit tracker without ads'],
  ['DE', 'de-DE', 'haushaltsbuch', 'haushaltsbuch ohne werbung'],
  ['JP', 'ja-JP', '天気', '天気 アプリ'],
  ['JP', 'ja-JP', '家計簿', '家計簿 オフライン'],
  ['JP', 'ja-JP', '家計簿', '家計簿 ウィジェット'],
])('in %s (%s) a search for %s finds nearly the same apps as “%s”', (country, lang, term, longer) => {
  const idsOf = (requested: string) =>
    catalog.search({ store: 'ITUNES', country, lang }, requested, 10).map((app) => app.app_id);
  const first = idsOf(term).slice(0, 5);
  expect(idsOf(longer).filter((appId) => first.includes(appId)).length).toBeGreaterThanOrEqual(4);
});
