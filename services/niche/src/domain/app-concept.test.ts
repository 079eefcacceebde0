import { categories } from '@shelfwise/facts/stores/categories';
import { stores } from '@shelfwise/facts/stores/store';
import { buildNicheApp, buildNicheTerm, daysAgo, now, tenApps } from '../../test/build-niche-term.ts';
import { appConcept } from './app-concept.ts';
import type { Intent } from './intent.ts';
import type { NicheApp, NicheTerm } from './niche-term.ts';

const concept = (
  terms: readonly NicheTerm[],
  intent: Intent = 'utility',
  store: 'ITUNES' | 'GPLAY' = 'ITUNES',
) => appConcept(terms, intent, { store, lang: 'en-US', now });

/** Ten strong, fresh apps whose titles all name the term, apart from the overrides. */
const strong = (overrides: Partial<NicheApp> = {}) =>
  tenApps(1, { title: 'Habit Tracker', ratings: 120_000, updated_at: daysAgo(20), ...overrides });
const habit = (overrides: Partial<NicheTerm> = {}) =>
  buildNicheTerm('habit tracker', { traffic: 60, difficulty: 70, top: strong(), ...overrides });

describe('the searches of a concept', () => {
  test.each([
    [1, '“habit tracker”'],
    [2, '“habit tracker” and “term 2”'],
    [3, '“habit tracker”, “term 2” and 1 more search'],
    [5, '“habit tracker”, “term 2” and 3 more searches'],
  ])('%i terms are written as %s', (count, expected) => {
    const others = Array.from({ length: count - 1 }, (_, at) =>
      buildNicheTerm(`term ${at + 2}`, { difficulty: 70 }),
    );
    expect(concept([habit(), ...others])).toContain(`A Productivity app for ${expected} `);
  });
});

describe('the genre of a concept', () => {
  test.each([
    ['ITUNES', '6013', 'A Health & Fitness app'],
    ['ITUNES', '6016', 'An Entertainment app'],
    ['ITUNES', '6002', 'A Utilities app'],
    ['ITUNES', '6014', 'A game'],
    ['GPLAY', 'GAME_PUZZLE', 'A puzzle game'],
    ['GPLAY', 'GAME_ACTION', 'An action game'],
    ['GPLAY', 'GAME', 'A game'],
    ['GPLAY', 'FAMILY', 'A Family app'],
  ] as const)('%s %s is written as %s', (store, genreKey, expected) => {
    expect(concept([habit({ top: strong({ genre_key: genreKey }) })], 'utility', store)).toContain(
      `${expected} for “`,
    );
  });

  test('every category of both stores can be written', () => {
    for (const store of stores) {
      for (const { key } of categories[store]) {
        expect(concept([habit({ top: strong({ genre_key: key }) })], 'utility', store)).toMatch(
          /^An? (\S.*)?(app|game) for “/,
        );
      }
    }
  });

  test('no genre is named when most results of the representative term are of other genres', () => {
    const mixed = strong().map((app, at) => ({
      ...app,
      genre_key: at < 4 ? '6015' : at < 7 ? '6003' : '6012',
    }));
    const finance = tenApps(1, { genre_key: '6015' }).slice(0, 4);
    const terms = [
      habit({ keyword: 'planner', top: mixed }),
      habit({ keyword: 'budget planner', top: finance }),
    ];
    expect(concept(terms)).toMatch(/^An app for “planner”/);
    expect(concept([habit({ top: tenApps(1, { genre_key: '6015' }) })])).toMatch(/^A Finance app/);
  });

  test('a tie of genres of games is written as a game', () => {
    const halves = Array.from({ length: 10 }, (_, at) =>
      buildNicheApp({ genre_key: at % 2 ? '7012' : '7019' }),
    );
    expect(concept([habit({ top: halves })], 'games')).toMatch(/^A game for “/);
  });

  test('no genre is named when two are equally frequent', () => {
    const halves = Array.from({ length: 10 }, (_, at) =>
      buildNicheApp({ genre_key: at % 2 ? '6007' : '6013' }),
    );
    expect(concept([habit({ top: halves })])).toMatch(/^An app for “/);
  });

  test('no genre is named when few are known, or the most frequent one has less than two fifths of the results', () => {
    const mixed = ['6007', '6007', '6007', '6012', '6012', '6013', '6013', '6017', '6017', '6000'];
    expect(concept([habit({ top: strong({ genre_key: null }) })])).toMatch(/^An app for “/);
    expect(concept([habit({ top: strong().slice(0, 4) })])).toMatch(/^An app for “/);
    expect(concept([habit({ top: strong().slice(0, 5) })])).toMatch(/^A Productivity app for “/);
    expect(
      concept([habit({ top: mixed.map((genreKey) => buildNicheApp({ genre_key: genreKey })) })]),
    ).toMatch(/^An app for “/);
  });
});

describe('the gap of a concept', () => {
  /** The concept without the kind of app and its searches. */
  const why = (terms: readonly NicheTerm[], intent?: Intent) =>
    concept(terms, intent).replace(/^.*? for “[^”]+”((,| and) (“[^”]+”|\d+ more search(es)?))*/, '');
  const start = '; the search has traffic 60 at difficulty 70.';

  test('leaders with few ratings are a gap', () => {
    const ratings = [90_000, 8_000, 900, 500, 300, 86, 50, 20, 4, 0];
    const top = strong().map((app, at) => ({ ...app, ratings: ratings[at] ?? null }));
    expect(why([habit({ top: top.map((app, at) => (at === 0 ? { ...app, ratings: 9_000 } : app)) })])).toBe(
      ` with more ratings than many of today’s leaders: half of the first 10 apps have at most 86 ratings${start}`,
    );
    expect(why([habit({ top })])).toBe(
      ` with more ratings than many of today’s leaders: half of the first 10 apps have at most 86 ratings, though the strongest of the first 5 has 90,000${start}`,
    );
    expect(why([habit({ top: strong({ ratings: 0 }) })])).toBe(
      ` with more ratings than many of today’s leaders: half of the first 10 apps have no ratings yet${start}`,
    );
  });

  test('figures that are unknown for some leaders are mentioned; when most are unknown, nothing is claimed', () => {
    const knownOf = (count: number) =>
      habit({ top: strong().map((app, at) => ({ ...app, ratings: at < count ? 40 : null })) });
    expect(why([knownOf(6)])).toContain(
      ': half of the 6 apps whose ratings are known have at most 40 ratings; ',
    );
    expect(why([knownOf(4)])).toBe(' finds no clear gap: the search has traffic 60 at difficulty 70.');
  });

  test('leaders without recent updates are a gap', () => {
    expect(why([habit({ top: strong({ updated_at: daysAgo(500) }) })])).toBe(
      ` that is kept up to date, unlike many of today’s leaders: half of the first 10 apps have not been updated for 16 months${start}`,
    );
    expect(why([habit({ top: strong({ updated_at: null }) })])).toMatch(/^ finds no clear gap/);
  });

  test('titles that do not name the term are a gap', () => {
    const naming = (count: number) =>
      strong().map((app, at) => (at < count ? app : { ...app, title: 'Lark Notes' }));
    expect(why([habit({ top: naming(0) })])).toBe(
      ` whose title names it, unlike many of today’s leaders: none of the first 10 titles does${start}`,
    );
    expect(why([habit({ top: naming(1) }), buildNicheTerm('habits', { traffic: 20, difficulty: 70 })])).toBe(
      ' whose title names “habit tracker”, unlike many of today’s leaders: only 1 of the first 10 titles does; the best start is “habit tracker” with traffic 60 at difficulty 70.',
    );
    expect(why([habit({ top: naming(2) })])).toContain(': only 2 of the first 10 titles do; ');
    expect(why([habit({ top: naming(5) })])).toMatch(/^ finds no clear gap/);
  });

  test('a keyword that is searched and easy to rank for is a gap', () => {
    const easy = buildNicheTerm('habit log', { traffic: 45, difficulty: 20 });
    expect(why([habit(), easy])).toBe(
      ' with a search that is easy to rank for: the best start is “habit log” with traffic 45 at difficulty 20.',
    );
    expect(why([habit({ difficulty: 20 })])).toBe(
      ', which is searched and easy to rank for: the search has traffic 60 at difficulty 20.',
    );
    expect(why([habit(), buildNicheTerm('habit log', { traffic: 45, difficulty: 36 })])).toMatch(
      /^ finds no clear gap/,
    );
  });

  test('a single rating is in the singular', () => {
    expect(why([habit({ top: strong({ ratings: 1 }) })])).toContain(
      ': half of the first 10 apps have at most 1 rating; ',
    );
  });

  test('the gap is about the term whose results represent the niche, not about a broad one that leads elsewhere', () => {
    const rooms = tenApps(31, { title: 'Room Planner', ratings: 36_270 });
    const terms = [
      habit({ keyword: 'planner', traffic: 80, top: [...rooms.slice(0, 7), ...strong().slice(7)] }),
      habit({ keyword: 'budget', top: strong({ ratings: 12, title: 'Budget' }) }),
      habit({ keyword: 'money planner', top: strong({ ratings: 12, title: 'Budget' }) }),
    ];
    expect(concept(terms)).toMatch(/^A Productivity app for “planner”, “budget” and 1 more search with /);
    expect(why(terms)).toContain(': half of the first 10 apps for “budget” have at most 12 ratings; ');
  });

  test('the gap is about the most searched of several terms with about the same results', () => {
    const top = strong({ ratings: 12 });
    const terms = [
      habit({ keyword: 'running app', traffic: 70, top: [...top.slice(0, 8), ...tenApps(41).slice(0, 2)] }),
      habit({ keyword: 'running coach', traffic: 35, top }),
      habit({ keyword: 'running coach pro', traffic: 16, top }),
    ];
    expect(why(terms)).toContain('the first 10 apps for “running app” have');
  });

  test('brands and what people do not search for are not what an app would serve', () => {
    const weak = { top: strong({ ratings: 12 }) };
    const terms = [
      habit({ keyword: 'habitica', traffic: 80, isNavigational: true }),
      habit({ keyword: 'habit chores', traffic: 70, isSearched: false }),
      habit(weak),
    ];
    expect(concept(terms)).toBe(
      `A Productivity app for “habit tracker” with more ratings than many of today’s leaders: half of the first 10 apps have at most 12 ratings${start}`,
    );
  });

  test('a brand that is alone under its name is no gap', () => {
    const brand = { isNavigational: true, top: strong().slice(0, 1) };
    expect(why([habit(brand)])).not.toContain('the store finds');
    expect(why([habit({ top: strong().slice(0, 1) })])).toBe(
      ` that serves what hardly any app does: the store finds only one app for it${start}`,
    );
  });

  test('a store that finds hardly any apps is a gap', () => {
    expect(why([habit({ top: [] })])).toContain(': the store finds no app for it; ');
    const one = { top: strong().slice(0, 1) };
    expect(why([habit(one), buildNicheTerm('habits', one)])).toContain(
      ': the store finds only one app for “habit tracker”; ',
    );
    expect(why([habit({ top: strong().slice(0, 4) })])).toContain(
      ': the store finds only four apps for it; ',
    );
  });

  test('the strongest gap is mentioned', () => {
    const top = strong({ ratings: 50, updated_at: daysAgo(720), title: 'Lark Notes' });
    expect(why([habit({ top })])).toMatch(/^ that is kept up to date/);
    expect(why([habit({ top: top.map((app) => ({ ...app, ratings: 0 })) })])).toMatch(/^ with more ratings/);
  });

  test('without a gap the concept says so, with the strength of the leaders and the best keyword', () => {
    const better = buildNicheTerm('habits', { traffic: 50, difficulty: 40 });
    expect(why([habit(), better])).toBe(
      ' finds no clear gap: the strongest of the first 5 apps for “habit tracker” has 120,000 ratings; the best start is “habits” with traffic 50 at difficulty 40.',
    );
    expect(why([habit()])).toBe(
      ` finds no clear gap: the strongest of the first 5 apps has 120,000 ratings${start}`,
    );
    expect(why([habit({ top: strong({ ratings: 9_000 }) })])).toBe(
      ` finds no clear gap: half of the first 10 apps have at least 9,000 ratings${start}`,
    );
  });

  test('without a figure that is known the concept ends after the searches', () => {
    expect(why([habit({ isSearched: false, top: strong({ ratings: null, updated_at: null }) })])).toBe(
      ' finds no clear gap.',
    );
  });

  test('searches for a brand leave little room', () => {
    const brand = habit({ isNavigational: true });
    const room = ' has little room: ';
    expect(why([brand], 'navigational')).toBe(`${room}the search names a brand.`);
    expect(why([brand, habit()], 'navigational')).toBe(`${room}1 of the 2 searches names a brand.`);
    expect(why([brand, brand, habit()], 'navigational')).toBe(`${room}2 of the 3 searches name a brand.`);
    expect(why([brand, brand], 'navigational')).toBe(`${room}all 2 searches name a brand.`);
  });
});
