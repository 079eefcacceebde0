import type { CategoryKey, overallCategory } from '@shelfwise/facts/stores/categories';
import type { Store } from '@shelfwise/facts/stores/store';

/** A category that an app can be in. */
type GenreKey<S extends Store> = Exclude<CategoryKey<S>, typeof overallCategory>;

/** Why people search for apps of a genre. */
export type GenreIntent =
  | 'utility'
  | 'entertainment'
  | 'games'
  | 'learning'
  | 'social'
  | 'lifestyle'
  | 'shopping';

/**
 * Intent by genre:
 * - `utility` to get something done; also photo and video, as people search for editors
 * - `learning` to know more
 * - `lifestyle` to live well: health, food, home, travel
 * - `entertainment` to pass the time: watching, listening, reading
 */
const genreIntents: { readonly [S in Store]: Readonly<Record<GenreKey<S>, GenreIntent>> } = {
  ITUNES: {
    6000: 'utility', // Business
    6001: 'utility', // Weather
    6002: 'utility', // Utilities
    6003: 'lifestyle', // Travel
    6004: 'entertainment', // Sports: scores and matches; training is in Health & Fitness
    6005: 'social', // Social Networking
    6006: 'learning', // Reference
    6007: 'utility', // Productivity
    6008: 'utility', // Photo & Video
    6009: 'entertainment', // News
    6010: 'utility', // Navigation
    6011: 'entertainment', // Music
    6012: 'lifestyle', // Lifestyle
    6013: 'lifestyle', // Health & Fitness
    6014: 'games', // Games
    6015: 'utility', // Finance
    6016: 'entertainment', // Entertainment
    6017: 'learning', // Education
    6018: 'entertainment', // Books
    6020: 'utility', // Medical
    6021: 'entertainment', // Magazines & Newspapers
    6022: 'shopping', // Catalogs
    6023: 'lifestyle', // Food & Drink
    6024: 'shopping', // Shopping
    6025: 'entertainment', // Stickers
    6026: 'utility', // Developer Tools
    6027: 'utility', // Graphics & Design
    7001: 'games',
    7002: 'games',
    7003: 'games',
    7004: 'games',
    7005: 'games',
    7006: 'games',
    7009: 'games',
    7011: 'games',
    7012: 'games',
    7013: 'games',
    7014: 'games',
    7015: 'games',
    7016: 'games',
    7017: 'games',
    7018: 'games',
    7019: 'games',
  },
  GPLAY: {
    ANDROID_WEAR: 'utility',
    ART_AND_DESIGN: 'utility',
    AUTO_AND_VEHICLES: 'utility',
    BEAUTY: 'lifestyle',
    BOOKS_AND_REFERENCE: 'learning',
    BUSINESS: 'utility',
    COMICS: 'entertainment',
    COMMUNICATION: 'social',
    DATING: 'social',
    EDUCATION: 'learning',
    ENTERTAINMENT: 'entertainment',
    EVENTS: 'lifestyle',
    FINANCE: 'utility',
    FOOD_AND_DRINK: 'lifestyle',
    HEALTH_AND_FITNESS: 'lifestyle',
    HOUSE_AND_HOME: 'lifestyle',
    LIBRARIES_AND_DEMO: 'utility',
    LIFESTYLE: 'lifestyle',
    MAPS_AND_NAVIGATION: 'utility',
    MEDICAL: 'utility',
    MUSIC_AND_AUDIO: 'entertainment',
    NEWS_AND_MAGAZINES: 'entertainment',
    PARENTING: 'lifestyle',
    PERSONALIZATION: 'utility',
    PHOTOGRAPHY: 'utility',
    PRODUCTIVITY: 'utility',
    SHOPPING: 'shopping',
    SOCIAL: 'social',
    SPORTS: 'entertainment',
    TOOLS: 'utility',
    TRAVEL_AND_LOCAL: 'lifestyle',
    VIDEO_PLAYERS: 'utility',
    WATCH_FACE: 'utility',
    WEATHER: 'utility',
    GAME: 'games',
    GAME_ACTION: 'games',
    GAME_ADVENTURE: 'games',
    GAME_ARCADE: 'games',
    GAME_BOARD: 'games',
    GAME_CARD: 'games',
    GAME_CASINO: 'games',
    GAME_CASUAL: 'games',
    GAME_EDUCATIONAL: 'games',
    GAME_MUSIC: 'games',
    GAME_PUZZLE: 'games',
    GAME_RACING: 'games',
    GAME_ROLE_PLAYING: 'games',
    GAME_SIMULATION: 'games',
    GAME_SPORTS: 'games',
    GAME_STRATEGY: 'games',
    GAME_TRIVIA: 'games',
    GAME_WORD: 'games',
    FAMILY: 'entertainment',
  },
};

/** `utility` for a key that the store does not have. */
export function intentOfGenre(store: Store, key: string): GenreIntent {
  const ofStore: ReadonlyMap<string, GenreIntent> = new Map(Object.entries(genreIntents[store]));
  return ofStore.get(key) ?? 'utility';
}
