import type { Store } from './store.ts';

/** The category of the chart over all apps of a store. The name is ours; every other key is the store's own. */
export const overallCategory = 'OVERALL';

/** Genre ids of the App Store. Ids from 7001 on are subgenres of Games (6014). */
const appStoreCategories = [
  { key: 'OVERALL', label: 'Overall' },
  { key: '6000', label: 'Business' },
  { key: '6001', label: 'Weather' },
  { key: '6002', label: 'Utilities' },
  { key: '6003', label: 'Travel' },
  { key: '6004', label: 'Sports' },
  { key: '6005', label: 'Social Networking' },
  { key: '6006', label: 'Reference' },
  { key: '6007', label: 'Productivity' },
  { key: '6008', label: 'Photo & Video' },
  { key: '6009', label: 'News' },
  { key: '6010', label: 'Navigation' },
  { key: '6011', label: 'Music' },
  { key: '6012', label: 'Lifestyle' },
  { key: '6013', label: 'Health & Fitness' },
  { key: '6014', label: 'Games' },
  { key: '6015', label: 'Finance' },
  { key: '6016', label: 'Entertainment' },
  { key: '6017', label: 'Education' },
  { key: '6018', label: 'Books' },
  { key: '6020', label: 'Medical' },
  { key: '6021', label: 'Magazines & Newspapers' },
  { key: '6022', label: 'Catalogs' },
  { key: '6023', label: 'Food & Drink' },
  { key: '6024', label: 'Shopping' },
  { key: '6025', label: 'Stickers' },
  { key: '6026', label: 'Developer Tools' },
  { key: '6027', label: 'Graphics & Design' },
  { key: '7001', label: 'Action' },
  { key: '7002', label: 'Adventure' },
  { key: '7003', label: 'Casual' },
  { key: '7004', label: 'Board' },
  { key: '7005', label: 'Card' },
  { key: '7006', label: 'Casino' },
  { key: '7009', label: 'Family' },
  { key: '7011', label: 'Music' },
  { key: '7012', label: 'Puzzle' },
  { key: '7013', label: 'Racing' },
  { key: '7014', label: 'Role Playing' },
  { key: '7015', label: 'Simulation' },
  { key: '7016', label: 'Sports' },
  { key: '7017', label: 'Strategy' },
  { key: '7018', label: 'Trivia' },
  { key: '7019', label: 'Word' },
] as const;

const googlePlayCategories = [
  { key: 'OVERALL', label: 'Overall' },
  { key: 'ANDROID_WEAR', label: 'Wear OS' },
  { key: 'ART_AND_DESIGN', label: 'Art & Design' },
  { key: 'AUTO_AND_VEHICLES', label: 'Auto & Vehicles' },
  { key: 'BEAUTY', label: 'Beauty' },
  { key: 'BOOKS_AND_REFERENCE', label: 'Books & Reference' },
  { key: 'BUSINESS', label: 'Business' },
  { key: 'COMICS', label: 'Comics' },
  { key: 'COMMUNICATION', label: 'Communication' },
  { key: 'DATING', label: 'Dating' },
  { key: 'EDUCATION', label: 'Education' },
  { key: 'ENTERTAINMENT', label: 'Entertainment' },
  { key: 'EVENTS', label: 'Events' },
  { key: 'FINANCE', label: 'Finance' },
  { key: 'FOOD_AND_DRINK', label: 'Food & Drink' },
  { key: 'HEALTH_AND_FITNESS', label: 'Health & Fitness' },
  { key: 'HOUSE_AND_HOME', label: 'House & Home' },
  { key: 'LIBRARIES_AND_DEMO', label: 'Libraries & Demo' },
  { key: 'LIFESTYLE', label: 'Lifestyle' },
  { key: 'MAPS_AND_NAVIGATION', label: 'Maps & Navigation' },
  { key: 'MEDICAL', label: 'Medical' },
  { key: 'MUSIC_AND_AUDIO', label: 'Music & Audio' },
  { key: 'NEWS_AND_MAGAZINES', label: 'News & Magazines' },
  { key: 'PARENTING', label: 'Parenting' },
  { key: 'PERSONALIZATION', label: 'Personalization' },
  { key: 'PHOTOGRAPHY', label: 'Photography' },
  { key: 'PRODUCTIVITY', label: 'Productivity' },
  { key: 'SHOPPING', label: 'Shopping' },
  { key: 'SOCIAL', label: 'Social' },
  { key: 'SPORTS', label: 'Sports' },
  { key: 'TOOLS', label: 'Tools' },
  { key: 'TRAVEL_AND_LOCAL', label: 'Travel & Local' },
  { key: 'VIDEO_PLAYERS', label: 'Video Players & Editors' },
  { key: 'WATCH_FACE', label: 'Watch Faces' },
  { key: 'WEATHER', label: 'Weather' },
  { key: 'GAME', label: 'Games' },
  { key: 'GAME_ACTION', label: 'Games: Action' },
  { key: 'GAME_ADVENTURE', label: 'Games: Adventure' },
  { key: 'GAME_ARCADE', label: 'Games: Arcade' },
  { key: 'GAME_BOARD', label: 'Games: Board' },
  { key: 'GAME_CARD', label: 'Games: Card' },
  { key: 'GAME_CASINO', label: 'Games: Casino' },
  { key: 'GAME_CASUAL', label: 'Games: Casual' },
  { key: 'GAME_EDUCATIONAL', label: 'Games: Educational' },
  { key: 'GAME_MUSIC', label: 'Games: Music' },
  { key: 'GAME_PUZZLE', label: 'Games: Puzzle' },
  { key: 'GAME_RACING', label: 'Games: Racing' },
  { key: 'GAME_ROLE_PLAYING', label: 'Games: Role Playing' },
  { key: 'GAME_SIMULATION', label: 'Games: Simulation' },
  { key: 'GAME_SPORTS', label: 'Games: Sports' },
  { key: 'GAME_STRATEGY', label: 'Games: Strategy' },
  { key: 'GAME_TRIVIA', label: 'Games: Trivia' },
  { key: 'GAME_WORD', label: 'Games: Word' },
  { key: 'FAMILY', label: 'Family' },
] as const;

/** The categories of the top charts, in the order in which the stores list them. */
export const categories = {
  ITUNES: appStoreCategories,
  GPLAY: googlePlayCategories,
} as const satisfies Record<Store, readonly { key: string; label: string }[]>;

export type CategoryKey<S extends Store = Store> = (typeof categories)[S][number]['key'];

/** The kinds of top chart. */
export const collections = ['free', 'paid', 'grossing'] as const;

export type Collection = (typeof collections)[number];

/** The English label of a category; null when the store has no such category. */
export function categoryLabel(store: Store, key: string): string | null {
  const rows: readonly { key: string; label: string }[] = categories[store];
  return rows.find((row) => row.key === key)?.label ?? null;
}

export function isCategory<S extends Store>(store: S, key: string): key is CategoryKey<S> {
  return categoryLabel(store, key) !== null;
}
