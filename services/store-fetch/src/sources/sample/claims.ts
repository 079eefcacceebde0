/**
 * Claims that many apps make in their description. Each language words them itself; a topic names those that do not
 * fit.
 */
export type AppClaim =
  | 'offline'
  | 'sync'
  | 'widgets'
  | 'darkMode'
  | 'ownData'
  | 'noAccount'
  | 'reminders'
  | 'backup'
  | 'sharing'
  | 'shortcuts'
  | 'oneHand'
  | 'languages';

/** Claims of games. */
export type GameClaim =
  | 'playOffline'
  | 'dailyChallenge'
  | 'easyControls'
  | 'leaderboards'
  | 'art'
  | 'levels'
  | 'shortRounds'
  | 'savedProgress';

/** Endings of descriptions. `subscription` is only for apps without a price. */
export type Closing = 'contact' | 'subscription' | 'feedback' | 'reviews' | 'privacy';

export type Claim = AppClaim | GameClaim | Closing;
