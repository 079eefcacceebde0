import fc from 'fast-check';
import { buildApp } from '../../../test/build-reading.ts';
import { brandOf } from './brand.ts';
import type { PageApp } from './keyword-reading.ts';

const app = (title: string, developerName: string, appId = '1') =>
  buildApp({ app_id: appId, title, developer_name: developerName });
const other = app('Acorn', 'Oak Works', '2');

test.each([
  ['duolingo', 'Duolingo: Language Lessons', 'Duolingo'],
  ['tetris', 'Tetris® - Falling Blocks', 'PlayStudios'],
  ['tetris', 'TETRIS™', 'PlayStudios'],
  ['spider-man', 'Spider-Man: Unlimited', 'Web Works'],
  ['candy crush saga', 'Candy Crush Saga', 'King'],
  ['king', 'Candy Crush Saga', 'King'],
  ['supercell games', 'Clash', 'Supercell Games'],
  ['candy crush', 'Candy Crush Saga', 'King'],
  ['spider', 'Spider-Man: Unlimited', 'Web Works'],
  ['メルカリ', 'メルカリ - フリマアプリ', 'Mercari'],
  ['offer up', 'OfferUp: Buy. Sell. Letgo.', 'OfferUp Inc.'],
  ['text now', 'TextNow: Call + Text Unlimited', 'Enflick'],
  ['pokemon', 'Pokémon GO', 'Niantic'],
  ['photo', 'Photos', 'Oak Works'],
  ['onenote', 'Microsoft OneNote', 'Microsoft Corporation'],
  ['sims freeplay', 'The Sims™ FreePlay', 'Electronic Arts'],
  ['photoshop', 'Adobe Photoshop: Edit', 'Adobe Inc.'],
])('%s is the name of the app "%s" of %s', (keyword, title, developer) => {
  const found = brandOf(keyword, [app(title, developer), other], 'en');
  expect(found).toEqual({ app_id: '1', developer_name: developer });
});

test.each([
  ['crush saga', 'Candy Crush Saga', 'King'],
  ['games', 'Clash', 'Supercell Games'],
  ['car games', 'Drift', 'Car Studio'],
  ['the company', 'Drift', 'The Car Company'],
  ['language lessons', 'Duolingo: Language Lessons', 'Duolingo'],
  ['king bird', 'Candy Crush Saga', 'King'],
  ['🔥', '🔥 - Fire', 'Oak Works'],
  ['editor', 'Photo Editor', 'Oak Works'],
])('%s is not the name of the app "%s" of %s', (keyword, title, developer) => {
  expect(brandOf(keyword, [app(title, developer), other], 'en')).toBeNull();
});

test('a German title that names an app after “für” does not make its name generic', () => {
  const games = [app('Minecraft', 'Mojang'), app('Mods für Minecraft', 'Oak Works', '2')];
  const more = [...games, app('Skins für Minecraft', 'Acorn Ltd', '3')];
  expect(brandOf('minecraft', more, 'de-DE')).toEqual({ app_id: '1', developer_name: 'Mojang' });
});

test.each([
  ['ar', 'طقس', 'الطقس'],
  ['de', 'woerterbuch', 'Wörterbuch Pro'],
  ['en', 'story', 'Stories: Read'],
])('in %s, %s is the name of the app "%s", in another form', (lang, keyword, title) => {
  expect(brandOf(keyword, [app(title, 'Web Works'), other], lang)).not.toBeNull();
});

test.each([
  ['weather', 'Oak Weather Works', ['Live Weather', 'My Weather Map', 'Radar', 'Acorn'], false],
  ['weather', 'Oak Weather Works', ['Live Weather', 'Radar', 'Acorn'], true],
  ['weather', 'Oak Weather Works', ['Live Weather'], true],
  ['weather', 'Weather Inc.', ['Live Weather', 'My Weather Map'], true],
  ['weather channel', 'The Weather Channel Interactive', ['Weather Channel', 'My Weather Channel'], true],
  ['oak weather', 'Oak Weather Works', ['Live Weather', 'My Weather Map'], true],
  ['smart', 'Smart Art Inc.', ['Smart Home', 'Smart Watch'], false],
  ['habit', 'The Habits Inc.', ['Habit Tracker', 'Habit Journal'], true],
  ['oakweather', 'Oak Weather Inc.', ['OakWeather', 'Oak Weather Map'], true],
])('%s of the developer %s beside rivals with the titles %j', (keyword, developer, titles, isBrand) => {
  const rivals = titles.map((title, index) => app(title, `Rival ${index}`, `${index + 2}`));
  const found = brandOf(keyword, [app('Skyline', developer), ...rivals], 'en');
  expect(found !== null).toBe(isBrand);
});

test('a term that also starts the titles of rivals is not a brand', () => {
  const generic = [app('Photo Editor - Collage', 'Lab Works'), app('Photo Editor: Lab', 'Oak Works', '2')];
  expect(brandOf('photo editor', generic, 'en')).toBeNull();
});

test('what follows the developer’s name is no brand where titles of rivals have it, too', () => {
  const maps = [app('Google Maps', 'Google LLC'), app('Offline Maps: Roads', 'Oak Works', '2'), other];
  expect(brandOf('maps', maps, 'en')).toBeNull();
});

test('a developer’s name is a brand, even if other titles start with it', () => {
  const list = [
    app('TikTok - Videos', 'TikTok Ltd.'),
    app('TikTok Seller Center', 'TikTok Pte. Ltd.', '2'),
    app('Tiktok Saver', 'Oak Works', '3'),
  ];
  expect(brandOf('tiktok', list, 'en')).toEqual({ app_id: '1', developer_name: 'TikTok Ltd.' });
});

test('the start of a title is a brand if all titles that start with it are from one developer', () => {
  const series = [app('Candy Crush Saga', 'King'), app('Candy Crush Soda Saga', 'King', '2'), other];
  expect(brandOf('candy crush', series, 'en')).toEqual({ app_id: '1', developer_name: 'King' });
  const copied = [...series, app('Candy Crush Blast', 'Oak Works', '3')];
  expect(brandOf('candy crush', copied, 'en')).toBeNull();
});

test('a brand stays one when its developer has several such titles and other apps mention it', () => {
  const list = [
    { ...app('Minecraft: Dream it', 'Mojang'), ratings: 15_000 },
    app('Minecraft Education', 'Mojang', '2'),
    app('Mods for Minecraft', 'Oak Works', '3'),
    app('Minecrafty', 'Oak Works', '4'),
  ];
  expect(brandOf('minecraft', list, 'en')).toEqual({ app_id: '1', developer_name: 'Mojang' });
});

const chess = (rival: Partial<PageApp>) => [
  { ...app('Chess - Play & Learn', 'Board Works'), ratings: 1_500_000 },
  { ...app('Play Chess Online', 'Oak Works', '2'), ...rival },
];

test('a term anywhere in the title of a rival with enough ratings is not a brand', () => {
  expect(brandOf('chess', chess({ ratings: 100_000 }), 'en')).toBeNull();
  expect(brandOf('chess', chess({ ratings: 99_999 }), 'en')).not.toBeNull();
  expect(brandOf('chess', chess({ ratings: 100_000, title: 'Play Chessboard' }), 'en')).not.toBeNull();
  expect(brandOf('chess', chess({ ratings: 100_000, developer_name: 'BOARD works' }), 'en')).not.toBeNull();
});

test.each([
  ['exchange rates', 'Exchange Rates: Oribel', 'Fernling - Exchange Rates'],
  ['習慣化', '習慣化・習慣トラッカー Ritualling', 'Daily Willow - 習慣化'],
  ['集中タイマー', '集中タイマー・勉強タイマー Sessioning', 'Zanch 集中タイマー'],
  ['doodle', 'Doodle - Palette Fern', 'Inkling (Doodle)'],
])(
  '%s is not a brand if any rival, however small, has it as a separate part of its title',
  (keyword, title, rival) => {
    const lang = /^[a-z ]+$/.test(keyword) ? 'en' : 'ja';
    const page = [
      { ...app(title, 'Lab Works'), ratings: 1_000_000 },
      { ...app(rival, 'Oak Works', '2'), ratings: 0 },
    ];
    expect(brandOf(keyword, page, lang)).toBeNull();
    const own = page.map((each) => ({ ...each, developer_name: 'Lab Works' }));
    expect(brandOf(keyword, own, lang)).not.toBeNull();
  },
);

test('a term anywhere in the titles of two rivals, however small, is not a brand', () => {
  const hero = { ...app('Score! Hero', 'Ball Works'), ratings: 85_000 };
  const [one, two] = ['My Credit Score Plus', 'Food Score Tracker'].map((title, at) => ({
    ...app(title, `Rival ${at}`, `${at + 2}`),
    ratings: 300,
  }));
  expect(
    brandOf(
      'score',
      [hero, one, two].filter((each) => each !== undefined),
      'en',
    ),
  ).toBeNull();
  expect(
    brandOf(
      'score',
      [hero, one].filter((each) => each !== undefined),
      'en',
    ),
  ).not.toBeNull();
});

test('apps that only mention an app do not take its brand away, however many or large they are', () => {
  const titles = [
    'Stickers for WhatsApp',
    'Followers + for WhatsApp',
    'Video Maker for Facebook & WhatsApp',
    'Layout from WhatsApp',
    'Status von WhatsApp',
  ];
  const page = [
    { ...app('WhatsApp Messenger', 'Meta'), ratings: 1_000 },
    ...titles.map((title, at) => ({ ...app(title, `Rival ${at}`, `${at + 2}`), ratings: 900 })),
  ];
  expect(brandOf('whatsapp', page, 'en')).toEqual({ app_id: '1', developer_name: 'Meta' });
});

test('a title mentions an app only by whole words', () => {
  const titles = ['Credit Score for Scorers', 'Food Score from Scoreboards'];
  const rivals = titles.map((title, at) => ({ ...app(title, `Rival ${at}`, `${at + 2}`), ratings: 300 }));
  const hero = { ...app('Score! Hero', 'Ball Works'), ratings: 85_000 };
  expect(brandOf('score', [hero, ...rivals], 'en')).toBeNull();
});

test('a term whose words a rival with enough ratings has in another order is not a brand', () => {
  const rival = (ratings: number) => ({ ...app('Fern: Planner of Debt and Payoff', 'Fern', '2'), ratings });
  const first = { ...app('Debt Payoff Planner Pro', 'Loan Works'), ratings: 15_000 };
  expect(brandOf('debt payoff planner', [first, rival(1_000)], 'en')).toBeNull();
  expect(brandOf('debt payoff planner', [first, rival(999)], 'en')).not.toBeNull();
});

describe('when the first title has several parts', () => {
  const trackers = [
    app('Ritualling: Habit Tracker', 'Oak', '2'),
    app('Habit Tracker - Fernling', 'Elm', '3'),
  ];
  const isBrand = (keyword: string, title: string, others = trackers) =>
    brandOf(keyword, [app(title, 'Lab Works'), ...others], 'en') !== null;

  test('a term of words that rivals share is not a brand if another part of the title is unique', () => {
    expect(isBrand('habit builder', 'Habit Builder - Sproutling')).toBe(false);
  });

  test('the words of titles are compared up to plurals and accents', () => {
    expect(isBrand('habits builder', 'Habits Builder - Sproutling')).toBe(false);
    expect(isBrand('habit builder', 'Habit Builder - Trackers')).toBe(true);
  });

  test('it is a brand if that part is longer, others have a word of it, or others share no word of the term', () => {
    expect(isBrand('habit builder', 'Habit Builder - Grow With Sproutling')).toBe(true);
    expect(isBrand('habit builder', 'Habit Builder - Better Tracker')).toBe(true);
    expect(isBrand('lark mill', 'Lark Mill: Journal')).toBe(true);
    expect(isBrand('habit builder', 'Habit Builder - Sproutling', trackers.slice(1))).toBe(true);
  });
});

test('unknown rating counts take no brand away', () => {
  expect(brandOf('chess', chess({ ratings: null }), 'en')).not.toBeNull();
  const unknown = chess({ ratings: 100_000 }).map((each, at) =>
    at === 0 ? { ...each, ratings: null } : each,
  );
  expect(brandOf('chess', unknown, 'en')).not.toBeNull();
});

test('without results there is no brand', () => {
  expect(brandOf('duolingo', [], 'en')).toBeNull();
});

describe('where no rival has a word of it in its title', () => {
  const words = ['Lumen', 'Quill', 'Nova', 'Tidal', 'Ember', 'Pixel'];
  const named = fc.record({
    title: fc.shuffledSubarray(words, { minLength: 1 }),
    developer: fc.shuffledSubarray(words),
    rivals: fc.array(fc.constantFrom('Acorn', 'Oak - Radar', 'Fern & Map'), { maxLength: 9 }),
  });
  const isBrand = (
    term: string,
    title: string,
    { developer, rivals }: { developer: string[]; rivals: string[] },
  ) => {
    const others = rivals.map((one, at) => app(one, `Maker ${at}`, `${at + 2}`));
    return brandOf(term, [app(title, developer.join(' ')), ...others], 'en') !== null;
  };
  const spelled = fc.constantFrom(
    (term: string[]) => term.join(' '),
    (term: string[]) => term.join(''),
    (term: string[]) => term.join('  ').toUpperCase(),
  );

  test('a beginning of the first title is a brand, in any spelling; so are words of its developer’s name', () => {
    fc.assert(
      fc.property(
        named,
        fc.nat(),
        fc.nat(),
        spelled,
        spelled,
        ({ title, ...page }, from, length, write, writeTitle) => {
          const begin = title.slice(0, 1 + (length % title.length));
          // `PhotoEditor Pro`: the joined words are those of the term.
          const shown = [writeTitle(begin), ...title.slice(begin.length)].join(' ');
          expect(isBrand(write(begin), shown, page)).toBe(true);
          const { developer } = page;
          fc.pre(developer.length > 0);
          const start = from % developer.length;
          const part = developer.slice(start, start + 1 + (length % (developer.length - start)));
          expect(isBrand(write(part), 'Acorn', page)).toBe(true);
          expect(isBrand([...developer].reverse().join(' '), 'Acorn', page)).toBe(true);
        },
      ),
    );
  });

  test('a term with another word is none', () => {
    fc.assert(
      fc.property(named, spelled, fc.nat(6), ({ title, ...page }, write, at) => {
        expect(isBrand(write(title.toSpliced(at, 0, 'Zebra')), title.join(' '), page)).toBe(false);
      }),
    );
  });
});
