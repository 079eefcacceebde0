/** An app of the fake Google Play. Every app, developer and number is invented. */
export type PlayApp = {
  appId: string;
  title: string;
  developer: string;
  category: string;
  genre: string;
  /** HTML, as in the store. */
  short: string;
  about: string;
  /** Average and number; absent: the app has no ratings. */
  rated?: readonly [average: number, count: number] | undefined;
  installs?: number;
  /** In the currency of the storefront. */
  price?: number | undefined;
  /** Absent: varies with device. */
  version?: string | undefined;
  /** Unix time in seconds. */
  releasedAt?: number | undefined;
  hasVideo?: boolean;
  screenshots?: number;
  /** Sold only in these countries. */
  onlyIn?: readonly string[];
};

type Row = readonly [
  title: string,
  developer: string,
  category: string,
  genre: string,
  short: string,
  rated: readonly [number, number] | null,
  installs: number,
  unlike?: Partial<PlayApp>,
];

/** In the order of searches and charts. */
// biome-ignore format: a table
const rows: readonly Row[] = [
  ['Quillmoor: Notes & Lists', 'Brackwater Works', 'PRODUCTIVITY', 'Productivity', 'Notes that stay on your phone', [4.71, 182_340], 5_000_000, { hasVideo: true, releasedAt: 1_554_102_000 }],
  ['Inkstead Notes', 'Tallow Lane', 'PRODUCTIVITY', 'Productivity', 'Handwritten notes &amp; a search that reads them', [4.52, 61_200], 1_000_000],
  ['Marginella', 'Ada & the Otters', 'EDUCATION', 'Education', 'Study notes, it&#39;s all side by side', [4.43, 9_870], 100_000, { price: 4.99 }],
  ['Voxleaf Memo', 'Hushwave', 'BUSINESS', 'Business', 'Voice notes become text. No captcha, no unusual traffic', [4.12, 3_020], 100_000],
  ['Stonepad Notes', 'Stonepad', 'TOOLS', 'Tools', 'Plain notes, nothing else', null, 500, { screenshots: 0 }],
  ['Notelark 2', 'Larkfold', 'PRODUCTIVITY', 'Productivity', '', [4.83, 740], 10_000, { version: '2.4.1' }],
  ['Salt & Ember “Recipes”', 'Salt & Ember', 'FOOD_AND_DRINK', 'Food & Drink', 'A pantry and notes on what you cooked', [4.64, 27_410], 500_000],
  ['Fennelbook', 'Orchard & Pan', 'FOOD_AND_DRINK', 'Food & Drink', 'A recipe keeper for families', null, 1_000],
  ['Lumenforge Photo Editor', 'Glasshouse Nine', 'PHOTOGRAPHY', 'Photography', 'A photo editor with layers, curves and presets', [4.61, 402_118], 50_000_000, { version: '14.0' }],
  ['Pixelthorn', 'Thornfield Pixel', 'PHOTOGRAPHY', 'Photography', 'Retouch a photo in two taps', [4.33, 55_091], 1_000_000],
  ['Collagerie', 'Paper Magpie', 'PHOTOGRAPHY', 'Photography', 'Photo collages and postcards', [4.04, 12_006], 500_000],
  ['Reelwright', 'Glasshouse Nine', 'VIDEO_PLAYERS', 'Video Players & Editors', 'Cut a video on the train', [3.94, 8_455], 100_000, { price: 1.99 }],
  ['写真しおり', 'こもれび工房', 'PHOTOGRAPHY', 'Photography', '写真 編集 と アルバム', [4.42, 2_310], 50_000, { onlyIn: ['JP'] }],
  ['دفتر النخلة', 'ورشة النخلة', 'PRODUCTIVITY', 'Productivity', 'ملاحظات ومهام يومية', [4.21, 1_204], 10_000],
  ['Habiturtle 🐢 Habit Tracker', 'Slow & Steady Labs', 'HEALTH_AND_FITNESS', 'Health & Fitness', 'Forgives a missed day', [4.81, 98_765], 1_000_000],
  ['Stridewell', 'Two Kettles', 'HEALTH_AND_FITNESS', 'Health & Fitness', 'Counts steps, maps runs', [4.13, 14_820], 500_000],
  ['Pennywick Budget Planner', 'Pennywick', 'FINANCE', 'Finance', 'A budget planner with envelopes', [4.62, 73_900], 1_000_000],
  ['Ledgerloom', 'Loomstreet', 'FINANCE', 'Finance', 'Shared expenses and a monthly budget', [4.34, 18_250], 100_000],
  ['Drizzlecast', 'Northgutter', 'WEATHER', 'Weather', 'Rain, to the minute', [4.44, 211_500], 10_000_000],
  ['Tramlight', 'Kerbside', 'MAPS_AND_NAVIGATION', 'Maps & Navigation', 'Trams and buses, on time or not', [3.82, 30_301], 1_000_000],
  ['Moonquarry', 'Pebble Arcade', 'GAME_SIMULATION', 'Simulation', 'Dig, sort and trade on a small moon', [4.51, 310_450], 10_000_000],
  ['Tessel Garden', 'Pebble Arcade', 'GAME_PUZZLE', 'Puzzle', 'A quiet puzzle of tiles', [4.84, 88_032], 5_000_000, { price: 2.49 }],
  ['Goblin Ledger', 'Crooked Tooth', 'GAME_STRATEGY', 'Strategy', 'Keep the books of a dungeon', [4.14, 16_777], 500_000],
  ['Owlglass Trivia', 'Crooked Tooth', 'GAME_TRIVIA', 'Trivia', 'Quick questions, slow answers', [4.02, 6_340], 100_000],
];

/** The apps that a country's Google Play sells. */
export function playAppsIn(country: string): PlayApp[] {
  return allPlayApps.filter(({ onlyIn }) => onlyIn === undefined || onlyIn.includes(country.toUpperCase()));
}

export const allPlayApps: readonly PlayApp[] = rows.map(
  ([title, developer, category, genre, short, rated, installs, unlike], index): PlayApp => ({
    appId: `example.invented.play${index + 1}`,
    title,
    developer,
    category,
    genre,
    short,
    about: `<b>${title.replace(/&/g, '&amp;')}</b><br>${short}<br><br>Made by hand.`,
    rated: rated ?? undefined,
    installs,
    screenshots: 3,
    ...unlike,
  }),
);

export function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

export function searchPlayApps(term: string, country: string): PlayApp[] {
  const words = wordsOf(term);
  if (words.length === 0) return [];
  return playAppsIn(country).filter(({ title, short }) => {
    const known = wordsOf(`${title} ${short}`);
    return words.every((word) => known.includes(word));
  });
}

/** Starts of titles that begin with the prefix, the shortest first. */
export function completePlayPrefix(prefix: string, country: string): string[] {
  const typed = wordsOf(prefix).join(' ');
  if (typed === '') return [];
  const openings = playAppsIn(country).flatMap(({ title, short }) =>
    [wordsOf(title), wordsOf(short)].flatMap((words) =>
      words.map((_, end) => words.slice(0, end + 1).join(' ')),
    ),
  );
  return [...new Set(openings)].filter((opening) => opening.startsWith(typed)).slice(0, 5);
}

export function chartPlayApps(category: string, cluster: string, country: string): PlayApp[] {
  const wantsPaid = cluster === 'topselling_paid';
  const charted = playAppsIn(country).filter(
    (app) => cluster === 'topgrossing' || (app.price !== undefined) === wantsPaid,
  );
  const ofCategory = charted.filter(
    (app) =>
      category === 'APPLICATION' || app.category === category || app.category.startsWith(`${category}_`),
  );
  // The store has free apps in every category; this small catalog does not.
  return ofCategory.length === 0 && cluster === 'topselling_free' ? charted.slice(0, 1) : ofCategory;
}
