/** What many apps claim in their description. Each language has its own words for it; a topic names those that do not fit. */
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

/** The same for games. */
export type GameClaim =
  | 'playOffline'
  | 'dailyChallenge'
  | 'easyControls'
  | 'leaderboards'
  | 'art'
  | 'levels'
  | 'shortRounds'
  | 'savedProgress';

/** How descriptions end. `subscription` is for apps without a price only. */
export type Closing = 'contact' | 'subscription' | 'feedback' | 'reviews' | 'privacy';

export type Claim = AppClaim | GameClaim | Closing;
