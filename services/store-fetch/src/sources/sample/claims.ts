/**
 * Claims that many apps make in their description. Each language words them itself; a topic names those that do not
 * fit.
 */
export const appClaims = [
  'offline',
  'sync',
  'widgets',
  'darkMode',
  'ownData',
  'noAccount',
  'reminders',
  'backup',
  'sharing',
  'shortcuts',
  'oneHand',
  'languages',
] as const;

/** Claims of games. */
export const gameClaims = [
  'playOffline',
  'dailyChallenge',
  'easyControls',
  'leaderboards',
  'art',
  'levels',
  'shortRounds',
  'savedProgress',
] as const;

/** Endings of descriptions. `subscription` is only for apps without a price. */
export const closings = ['contact', 'subscription', 'feedback', 'reviews', 'privacy'] as const;
