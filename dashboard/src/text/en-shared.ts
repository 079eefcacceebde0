import { countDays } from './count-days.ts';

/* What most pages say: all scripts have it once, in the one that they share. */

export const product = 'Shelfwise';

export const skip = 'Skip to content';

export const sampleCatalog = 'Sample catalog: fictional';

export const nav = {
  label: 'Main',
  overview: 'Overview',
  keywords: 'Keywords',
  listing: 'Listing',
  simulator: 'Simulator',
  rivals: 'Competitors',
  niches: 'Niches',
  charts: 'Top charts',
  alerts: 'Alerts',
  account: 'Account',
  apps: 'Your apps',
  noApps: 'No app yet',
  signOut: 'Sign out',
  docs: 'API',
  track: 'Track an app',
};

/** The headings of pages that the navigation does not lead to, or that are about something. Others are named as in the navigation. */
export const titles = {
  signIn: 'Sign in to Shelfwise',
  connect: 'Connect an assistant',
  keywords: (app: string) => `Keywords of ${app}`,
  keyword: (keyword: string) => `“${keyword}”`,
  listing: (app: string) => `Listing of ${app}`,
  simulator: (app: string) => `Simulator of ${app}`,
  rivals: (app: string) => `Competitors of ${app}`,
};

export const figure = {
  pending: 'being read',
  notRanked: (depth: string) => `not in the first ${depth}`,
  notRankedOn: (depth: string, day: string) => `not in the first ${depth} on ${day}`,
  staleFrom: (day: string) => `from ${day}`,
  partial: 'incomplete: suggestions not read yet',
  blocked: 'store blocked',
  blockedSince: (day: string) => `store blocked; from ${day}`,
  notApplicable: 'does not apply',
  unknown: {
    not_published: 'not published',
    no_earlier_day: 'no earlier day',
    day_not_read: 'that day was not read',
    no_rank: 'needs ranks on both days',
    too_little_read: 'too little was read',
    not_compared: 'not compared',
    too_few_terms: 'fewer than five terms',
    not_read: 'not read',
    too_many: 'too many to count here',
    no_answer: 'could not be read',
    not_in_plan: 'older than your plan’s history',
    other_version: 'computed differently before',
    words_missing: 'words are still being read',
  },
};

export const change = {
  /** Between the readings that are compared. */
  days: countDays,
  up: (places: string) => `up ${places}`,
  down: (places: string) => `down ${places}`,
  same: 'unchanged',
  entered: 'entered',
  left: 'dropped out',
};

export const error = {
  title: 'This did not work',
  wait: 'One moment',
  signedOut: (reason: string) => `${reason} Sign in in another tab, then try again here.`,
  offline: 'Shelfwise did not answer. Is it running?',
  requestId: (id: string) => `Request ${id}`,
  retryIn: (seconds: string) => `Try again in ${seconds} s.`,
  goesOnIn: (seconds: string) => `Too many pages at once. This goes on by itself in ${seconds} s.`,
  retry: 'Try again',
  onlyThis: 'Only this failed: what is shown and typed here stays.',
  stays: 'What is shown and typed here stays.',
  works: {
    other_pages: 'Other pages work.',
    after_wait: 'Nothing is lost: all pages work again then.',
    maybe_others: 'What you track is kept. Other pages may still answer.',
  },
};

export const table = {
  sortBy: (column: string) => `Sort by ${column}`,
  shown: (shown: string, total: string) => `${shown} of ${total}`,
  more: 'Show more',
  none: 'No rows.',
};

export const trouble = {
  blocked: (store: string, since: string) => `${store} has refused to be read since ${since}.`,
  rankDays: (oldest: string, newest: string) =>
    oldest === newest
      ? `The ranks on this page are from ${oldest}.`
      : `The ranks on this page are from ${oldest} to ${newest}.`,
  nextTry: (time: string) => `Next try: ${time}.`,
  nextCall: 'The next try is the next reading.',
  unsteady: (store: string) =>
    `${store} does not answer every reading at the moment. Old numbers show their day.`,
  unknown: 'Whether the stores can be read is not known at the moment.',
};

export const store = { ITUNES: 'App Store', GPLAY: 'Google Play' };

export const storeSubject = { ITUNES: 'The App Store', GPLAY: 'Google Play' };

export const trackApp = {
  address: 'Name, address in its store, or id of the app',
  example: 'habit tracker, or https://apps.apple.com/us/app/…/id281796108',
  store: 'Store',
  country: 'Country',
  lang: 'Language',
  submit: 'Find',
  track: 'Track',
  cost: 'A search by name spends one API request; an address or an id spends none.',
  nothing: 'The store shows no app for this.',
  isTracked: 'tracked',
  tracking: 'Reading the store…',
  trackOne: (title: string) => `Track ${title}`,
};

/** What lists of keywords on several pages have. */
export const keywordList = {
  caption: 'Tracked keywords',
  filter: 'Filter (/)',
  hasMore: 'The app has more keywords than one page shows.',
  scoresSoon: 'Scores usually follow within a minute after a keyword is tracked.',
  arrived: (count: string) =>
    count === '1' ? 'The scores of 1 keyword have arrived.' : `The scores of ${count} keywords have arrived.`,
  keyword: 'Keyword',
  rank: 'Rank',
  spark: 'Ranks by day',
  sparkOf: (keyword: string) => `Ranks of “${keyword}” by day`,
  traffic: 'Traffic',
  difficulty: 'Difficulty',
  kei: 'KEI',
  read: 'Rank read',
  noTitle: 'no title',
  tryIt: 'Try it',
  tryWord: (word: string) => `Try “${word}” in the simulator`,
  filters: {
    label: 'Filters',
    favorites: { yes: '★ Favorites' },
    rank: {
      '1-3': 'Rank 1–3',
      '4-10': '4–10',
      '11-30': '11–30',
      '31-100': '31–100',
      none: 'Not ranked',
    },
    moved: { up: '▲ Up in 7 days', down: '▼ Down in 7 days' },
  },
};

export const chart = {
  notRanked: 'none',
  cross: '×: not ranked.',
  mark: '▼: a change or a note.',
  blocked: 'The store refuses to be read.',
  asTable: 'As a table',
  day: 'Day',
  firstDay: 'The line by day begins with the next daily reading.',
};

export const palette = {
  title: 'Go to',
  keys: 'Keys',
  list: [
    ['Ctrl K', 'go to a page or an app'],
    ['g o, g a, g k, g l, g s, g r', 'overview, app, keywords, listing, simulator, competitors'],
    ['g n, g t, g e, g c', 'niches, top charts, alerts, account'],
    ['/', 'filter; Esc leaves it'],
    ['j, k', 'next and previous row'],
    ['Enter', 'open the row'],
    ['x', 'select the row'],
    ['f', 'favorite'],
    ['e', 'export what is shown as CSV'],
    ['[, ]', 'previous and next keyword of the list'],
    ['1, 7, 3', 'movements of 1, 7 and 30 days'],
    ['?', 'these keys'],
  ] as const,
  areOn: 'Letters are shortcuts, in all browsers of this account',
};

export const undo = 'Undo';

export const dismiss = 'Dismiss';

export const days = 'Days are UTC.';

export const utc = (time: string) => `${time} UTC`;

/** Between what was and what is. */
export const becomes = '→';

export const today = (day: string) => `${day} (UTC)`;
