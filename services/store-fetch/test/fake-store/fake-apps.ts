/** A row of an answer, in the store's own shape. */
export type FakeRow = Record<string, unknown> & {
  trackId: number;
  bundleId: string;
  trackName: string;
  artistName: string;
  description: string;
  artworkUrl100: string;
  primaryGenreId: number;
  primaryGenreName: string;
  trackViewUrl: string;
  price: number;
  formattedPrice: string;
  currency: string;
  userRatingCount: number;
};

type Invented = {
  name: string;
  developer: string;
  genre: string;
  about: string;
  /** Average and number; absent: the app has no ratings. */
  rated?: readonly [average: number, count: number];
  /** Shown only on the app's web page; absent: the app has none. */
  subtitle?: string;
  /** In dollars; absent: free. */
  price?: number;
  /** Sold only in these countries. */
  onlyIn?: readonly string[];
  /** Fields that differ from the usual row. */
  unlike?: Record<string, unknown>;
};

const image = (id: number, name: string) => `https://images.example/${id}/${name}.png`;

/** All apps, developers and numbers are invented. The order is the order of search results. */
const invented: readonly Invented[] = [
  {
    name: 'Quillmoor: Notes & Lists',
    developer: 'Brackwater Works',
    genre: 'Productivity',
    about: 'Quick notes, lists and notebooks that stay on your phone.',
    subtitle: 'Lists, kept “simple” & quick',
    rated: [4.7, 182_340],
  },
  {
    name: 'Inkstead Notes',
    developer: 'Tallow Lane',
    genre: 'Productivity',
    about: 'Handwritten notes with a search that reads them.',
    subtitle: 'Write by hand',
    price: 4.99,
    rated: [4.5, 61_200],
  },
  {
    name: 'Marginella',
    developer: 'Ada & the Otters',
    genre: 'Education',
    about: 'Study notes and flash cards side by side.',
    rated: [4.4, 9_870],
  },
  {
    name: 'Voxleaf Memo',
    developer: 'Hushwave',
    genre: 'Business',
    about: 'Speak, and voice notes become text. Our site has a captcha, the app has none.',
    subtitle: 'No captcha, ever',
    rated: [4.1, 3_020],
  },
  {
    name: 'Stonepad Notes',
    developer: 'Stonepad',
    genre: 'Utilities',
    about: 'Plain notes, nothing else.',
    rated: [0, 0],
  },
  {
    name: 'Notelark 2',
    developer: 'Larkfold',
    genre: 'Productivity',
    about: 'Notes for a tablet and a pen.',
    price: 12.5,
    rated: [4.8, 740],
    unlike: { screenshotUrls: [], ipadScreenshotUrls: [image(7, 'pad-1'), image(7, 'pad-2')] },
  },
  {
    name: 'Deskbriar Notes',
    developer: 'Deskbriar',
    genre: 'Productivity',
    about: 'Notes in the menu bar of a computer.',
    subtitle: 'In the menu bar',
    price: 2.99,
    rated: [4.2, 388],
    unlike: { kind: 'mac-software' },
  },
  {
    name: 'Salt &amp; Ember “Recipes”',
    developer: 'Salt &amp; Ember',
    genre: 'Food & Drink',
    about: 'Recipes, a pantry and notes on what you cooked.',
    rated: [4.6, 27_410],
  },
  {
    name: 'Fennelbook',
    developer: 'Orchard & Pan',
    genre: 'Food & Drink',
    about: 'A recipe keeper for families.',
  },
  {
    name: 'Lumenforge Photo Editor',
    developer: 'Glasshouse Nine',
    genre: 'Photo & Video',
    about: 'A photo editor with layers, curves and presets.',
    subtitle: 'Layers, curves, presets',
    rated: [4.6, 402_118],
  },
  {
    name: 'Pixelthorn',
    developer: 'Thornfield Pixel',
    genre: 'Photo & Video',
    about: 'Retouch a photo in two taps.',
    subtitle: 'Two taps',
    rated: [4.3, 55_091],
  },
  {
    name: 'Collagerie',
    developer: 'Paper Magpie',
    genre: 'Photo & Video',
    about: 'Photo collages and postcards.',
    rated: [4.0, 12_006],
  },
  {
    name: 'Reelwright',
    developer: 'Glasshouse Nine',
    genre: 'Photo & Video',
    about: 'Cut a video on the train.',
    rated: [3.9, 8_455],
  },
  {
    name: '写真しおり',
    developer: 'こもれび工房',
    genre: 'Photo & Video',
    about: '写真 編集 と アルバム',
    subtitle: '毎日の写真を一冊に',
    rated: [4.4, 2_310],
    onlyIn: ['JP'],
  },
  {
    name: 'ことのは手帳',
    developer: 'こもれび工房',
    genre: 'Productivity',
    about: '予定 と メモ を一冊に',
    rated: [4.5, 5_902],
    onlyIn: ['JP'],
  },
  {
    name: 'دفتر النخلة',
    developer: 'ورشة النخلة',
    genre: 'Productivity',
    about: 'ملاحظات ومهام يومية',
    subtitle: 'ملاحظاتك في مكان واحد',
    rated: [4.2, 1_204],
  },
  {
    name: 'Habiturtle 🐢 Habit Tracker',
    developer: 'Slow & Steady Labs',
    genre: 'Health & Fitness',
    about: 'A habit tracker that forgives a missed day. 🐢',
    subtitle: 'One day at a time 🐢',
    rated: [4.8, 98_765],
  },
  {
    name: 'Dailyfern',
    developer: 'Fernhollow',
    genre: 'Health & Fitness',
    about: 'Habit streaks without the guilt.',
    rated: [4.5, 20_044],
  },
  {
    name: 'Stridewell',
    developer: 'Two Kettles',
    genre: 'Health & Fitness',
    about: 'Counts steps, maps runs.',
    rated: [4.1, 14_820],
  },
  {
    name: 'Breathery',
    developer: 'Two Kettles',
    genre: 'Health & Fitness',
    about: 'Breathing exercises of three minutes.',
    rated: [4.9, 6_130],
  },
  {
    name: 'Pennywick Budget Planner',
    developer: 'Pennywick',
    genre: 'Finance',
    about: 'A budget planner with envelopes.',
    rated: [4.6, 73_900],
  },
  {
    name: 'Ledgerloom',
    developer: 'Loomstreet',
    genre: 'Finance',
    about: 'Shared expenses and a monthly budget.',
    rated: [4.3, 18_250],
  },
  {
    name: 'Coinsparrow',
    developer: 'Sparrowhall',
    genre: 'Finance',
    about: 'Pocket money for children.',
    rated: [4.0, 940],
  },
  {
    name: 'Drizzlecast',
    developer: 'Northgutter',
    genre: 'Weather',
    about: 'Rain, to the minute.',
    rated: [4.4, 211_500],
  },
  {
    name: 'Galevane',
    developer: 'Northgutter',
    genre: 'Weather',
    about: 'Wind for sailors.',
    price: 7.99,
    rated: [4.7, 4_411],
  },
  {
    name: 'Tramlight',
    developer: 'Kerbside',
    genre: 'Travel',
    about: 'Trams and buses, on time or not.',
    rated: [3.8, 30_301],
  },
  {
    name: 'Wanderquay',
    developer: 'Kerbside',
    genre: 'Travel',
    about: 'Plan a trip with friends.',
    rated: [4.2, 7_707],
  },
  {
    name: 'Umlautia: Wörter lernen',
    developer: 'Büro Grünspan',
    genre: 'Education',
    about: 'Vokabeln für unterwegs, mit Karteikarten.',
    rated: [4.6, 2_845],
    onlyIn: ['DE', 'AT', 'CH'],
  },
  {
    name: 'Cardinalis',
    developer: 'Featherdesk',
    genre: 'Education',
    about: 'Flash cards that know when.',
    rated: [4.7, 40_118],
  },
  {
    name: 'Moonquarry',
    developer: 'Pebble Arcade',
    genre: 'Games',
    about: 'Dig, sort and trade on a small moon.',
    rated: [4.5, 310_450],
  },
  {
    name: 'Tessel Garden',
    developer: 'Pebble Arcade',
    genre: 'Games',
    about: 'A quiet puzzle of tiles.',
    rated: [4.8, 88_032],
  },
  {
    name: 'Goblin Ledger',
    developer: 'Crooked Tooth',
    genre: 'Games',
    about: 'Keep the books of a dungeon.',
    rated: [4.1, 16_777],
  },
  {
    name: 'Hearthwire',
    developer: 'Lampwick',
    genre: 'Utilities',
    about: 'Lamps, locks and heating in one list.',
    rated: [3.6, 5_115],
  },
  {
    name: 'Zipburrow',
    developer: 'Burrow Tools',
    genre: 'Utilities',
    about: 'Opens archives of every kind.',
    rated: [4.3, 11_048],
  },
  {
    name: 'Choirbox',
    developer: 'Hushwave',
    genre: 'Music',
    about: 'Practise your part of a song.',
    subtitle: 'Practise your part',
    price: 3.49,
    rated: [4.7, 2_960],
  },
  {
    name: 'Captcha Keeper',
    developer: 'Burrow Tools',
    genre: 'Utilities',
    about: 'Remembers which pictures had a bus in them.',
    rated: [2.9, 12],
  },
  {
    name: 'Pagefinch',
    developer: 'Featherdesk',
    genre: 'Books',
    about: 'A reader for the books you own.',
    rated: [4.4, 66_201],
  },
];

/** The store's numbers of the genres. */
const genreIds: Record<string, number> = {
  Books: 6018,
  Business: 6000,
  Education: 6017,
  Finance: 6015,
  'Food & Drink': 6023,
  Games: 6014,
  'Health & Fitness': 6013,
  Music: 6011,
  'Photo & Video': 6008,
  Productivity: 6007,
  Travel: 6003,
  Utilities: 6002,
  Weather: 6001,
};

/** The results of a search in a storefront: apps with every word of the term in their name or description. */
export function searchFakeApps(term: string, country: string, limit: number): FakeRow[] {
  const words = wordsOf(term);
  if (words.length === 0) return [];
  return rowsOf(country)
    .filter((row) => words.every((word) => wordsOf(`${row.trackName} ${row.description}`).includes(word)))
    .slice(0, limit);
}

/** The results of a look-up of one or several apps, as in the store. */
export function lookUpFakeApps(
  ids: readonly string[],
  bundleIds: readonly string[],
  country: string,
): FakeRow[] {
  const names = bundleIds.map((bundleId) => bundleId.toLowerCase());
  return rowsOf(country).filter(
    (row) => ids.includes(String(row.trackId)) || names.includes(row.bundleId.toLowerCase()),
  );
}

/** The rows of a top chart, by number of ratings. */
export function chartFakeApps(
  feed: { collection: string; genre: number | null; limit: number },
  country: string,
): FakeRow[] {
  const isShown = (row: FakeRow) =>
    (feed.genre === null || row.primaryGenreId === feed.genre) &&
    (feed.collection === 'grossing' || (feed.collection === 'paid') === row.price > 0);
  return rowsOf(country)
    .filter(isShown)
    .sort((one, other) => other.userRatingCount - one.userRatingCount)
    .slice(0, Math.min(100, feed.limit));
}

/** The completions of a prefix: words and pairs of words from the apps' names. */
export function suggestFakeTerms(prefix: string, country: string): string[] {
  const start = wordsOf(prefix).join(' ');
  if (start === '') return [];
  const phrases = rowsOf(country).flatMap(({ trackName }) => {
    const words = wordsOf(trackName);
    return words.flatMap((word, i) => [word, words.slice(i, i + 2).join(' ')]);
  });
  return [...new Set(phrases)].filter((phrase) => phrase.startsWith(start)).slice(0, 10);
}

/**
 * An app's web page: its row and the subtitle, which the row does not have; null where the storefront does not have
 * the app.
 */
export function findFakePage(id: number, country: string): { row: FakeRow; subtitle: string | null } | null {
  const row = rowsOf(country).find(({ trackId }) => trackId === id);
  if (row === undefined) return null;
  return { row, subtitle: invented[id - firstId]?.subtitle ?? null };
}

function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{Extended_Pictographic}]+/gu) ?? []
  );
}

const firstId = 700_000_001;

function rowsOf(country: string): FakeRow[] {
  return invented.flatMap((app, position) => {
    const isSold = app.onlyIn === undefined || app.onlyIn.includes(country.toUpperCase());
    return isSold ? [toRow(app, firstId + position, country.toLowerCase())] : [];
  });
}

function toRow(app: Invented, id: number, country: string): FakeRow {
  const [average, count] = app.rated ?? [0, 0];
  return {
    wrapperType: 'software',
    kind: 'software',
    trackId: id,
    bundleId: `example.invented.app${id}`,
    trackName: app.name,
    trackCensoredName: app.name,
    artistName: app.developer,
    artistId: id - 600_000_000,
    primaryGenreName: app.genre,
    primaryGenreId: genreIds[app.genre] ?? 6002,
    genreIds: [String(genreIds[app.genre] ?? 6002)],
    genres: [app.genre],
    description: app.about,
    trackViewUrl: `https://apps.example/${country}/app/id${id}?uo=4`,
    artworkUrl60: image(id, 'icon-60'),
    artworkUrl100: image(id, 'icon-100'),
    artworkUrl512: image(id, 'icon-512'),
    screenshotUrls: [image(id, 'phone-1'), image(id, 'phone-2')],
    ipadScreenshotUrls: [image(id, 'pad-1')],
    version: `${1 + (id % 7)}.${id % 10}.0`,
    averageUserRating: average,
    userRatingCount: count,
    releaseDate: '2019-04-01T07:00:00Z',
    currentVersionReleaseDate: `2025-0${1 + (id % 9)}-15T10:30:00Z`,
    languageCodesISO2A: ['EN', 'ZH', 'DE', 'ZH', 'XQ'],
    price: app.price ?? 0,
    formattedPrice: app.price ? `$${app.price.toFixed(2)}` : 'Free',
    currency: 'USD',
    ...app.unlike,
  };
}
