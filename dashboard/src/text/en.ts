/*
 * All words of the pages, in English, by what says them: a script has only those of its pages, because it names them as
 * `texts.<section>`. What another language says differently is a function.
 */

const countDays = (count: string) => (count === '1' ? '1 day' : `${count} days`);

export const product = 'Shelfwise';

export const skip = 'Skip to content';

export const noScript = 'These pages need JavaScript. The same data is in the API:';

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
    no_rank: 'not ranked on both days',
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
  signedOut: (reason: string) => `${reason} Sign in in another tab, then try again here.`,
  offline: 'Shelfwise did not answer. Is it running?',
  requestId: (id: string) => `Request ${id}`,
  retryIn: (seconds: string) => `Try again in ${seconds} s.`,
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

export const signIn = {
  continueAs: (email: string) => `Continue as ${email}`,
  key: 'API key',
  keyHint: 'It is sent once, and not stored in this browser.',
  submit: 'Sign in',
  linkHint: 'Or ask the operator for a link. It works once, for ten minutes:',
  forConnection:
    'An assistant asks to use your account. Sign in to see which one. With a link: open it in this browser, then load this page again.',
};

export const connect = {
  signedInAs: 'You are signed in as',
  callsItself: 'An assistant asks to use this account. It calls itself',
  sentTo: 'You are sent to',
  provenBy: 'Its name is vouched for by',
  unproven: 'no site: any program can use any name',
  onlyIf: 'Allow it only if you have just started to connect it, and know this address.',
  allows: 'What it may do',
  read: 'Read what Shelfwise knows of your apps, and use tools that spend API requests of this account.',
  write: 'Change what you track, your notes and your alert rules.',
  ends: 'You can end it at any time on the page of your account. Nothing is ever written to a store.',
  allow: 'Allow',
  decline: 'Decline',
  back: 'Back to',
};

export const overview = {
  caption: 'Your apps',
  app: 'App',
  health: 'ASO Health',
  visibility: 'Visibility',
  visibilityOf: (scored: string, from: string, to: string) =>
    `Visibility on ${countDays(scored)} from ${from} to ${to}, from 0 to 100.`,
  keywords: 'Keywords',
  top3: 'Top 3',
  top10: 'Top 10',
  top30: 'Top 30',
  audited: 'Audited',
  drop: 'Biggest drop',
  noDrop: 'none',
  sinceDay: (day: string) => ` since ${day}`,
  noHealthChange: 'change:',
  readOn: 'Last read',
  tiers: { 1: 'size: emerging', 2: 'size: growing', 3: 'size: established' } as Readonly<
    Record<string, string>
  >,
  legend:
    'ASO Health: 0 to 100. A keywords field that you have saved does not count here, only on the page of its app. Size: it decides what the app can win. Visibility: how much of the searches for its terms the app reaches, 0 to 100, by day; a day without one is a gap. Top 3, 10 and 30: how many keywords rank there, each with those above. Biggest drop: places lost since the reading before, among keywords that rank in both.',
  since: (time: string) => `Since your last visit, which ended on ${time}:`,
  nothingNew: 'nothing was read since.',
  keywordsRead: 'keywords read',
  up: 'of which up',
  down: 'down',
  today: 'Today’s readings of your keywords',
  run: {
    read: 'read today',
    waiting: 'to be read today',
    late: 'late: not read for two days or more',
  },
  noKeywords: 'no keywords',
  quota: 'API requests this month',
  noQuota: 'Your plan has no limit on API requests. Looking at these pages uses none.',
  quotaOf: (limit: string, time: string) =>
    `Your plan has ${limit} API requests a month; they reset on ${time}. Looking at these pages uses none.`,
  suggestions: 'Apps of the fictional catalog to begin with:',
  steps: ['Track an app.', 'Add the keywords that people search for.', 'See its ranks and its audit.'],
};

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

export const keywords = {
  change: '7 days',
  noChange: 'Changes of 7 days follow once there is an earlier day to compare with.',
  first: 'First result',
  noResults: 'no results',
  favorite: (keyword: string) => `Favorite: ${keyword}`,
  removeColumn: 'Remove',
  removeShort: 'Remove',
  remove: (keyword: string) => `Remove ${keyword}`,
  removed: (keyword: string) => `“${keyword}” is no longer tracked.`,
  select: (keyword: string) => `Select ${keyword}`,
  export: 'Export CSV (e)',
  sortHint: 'Favorites come first until you click on the heading of a column, which sorts.',
  empty: 'No keyword yet. Add those for which people should find the app.',
  legend:
    'Traffic: how much a keyword is searched. Difficulty: how hard it is to rank for it. KEI: much traffic and little difficulty. Each from 0 to 100. A KEI is held down where a keyword is not known to be searched (at most 19.9), names a brand (at most 39.9) or has fewer than five results: a word next to it says so.',
  /** A word, and a sentence for its title. */
  keiHeld: {
    no_results: ['no results', 'It is 0: the store shows no app.'],
    unsearched: ['no known searches', 'It is at most 19.9: people are not known to search for this.'],
    brand: ['names a brand', 'It is at most 39.9: people want the app of that name.'],
    few_results: ['few results', 'It is lowered: the store shows fewer than five apps.'],
  } as Readonly<Record<'no_results' | 'unsearched' | 'brand' | 'few_results', readonly [string, string]>>,
  bulk: {
    all: (count: string) => `Select all ${count} shown`,
    selected: (count: string) => `${count} selected`,
    mark: 'Mark as favorites',
    unmark: 'Remove from favorites',
    remove: 'Remove selected',
    progress: (done: string) => `${done} done…`,
    marked: (count: string) => `${count} changed.`,
    removed: (count: string) => `${count} removed.`,
  },
};

export const addKeywords = {
  title: 'Add keywords',
  label: (perCall: string) => `One per line. They are sent ${perCall} at a time, and each is read at once.`,
  submit: 'Track them',
  progress: (done: string, total: string) => `Reading, ${done} of ${total} done…`,
};

export const app = {
  health: 'ASO Health',
  healthHint:
    'From 0 to 100. Coverage: how well the texts use their room for searched words. Targeting: whether they aim at what you can win. Appeal: how the listing looks.',
  global: 'Overall',
  coverage: 'Coverage',
  targeting: 'Targeting',
  appeal: 'Appeal',
  withoutField:
    'It counts the keywords field that you have saved. Overall without it, as the overview has it:',
  noAudit: 'The words of the listing are being read.',
  toListing: 'Each word, the evidence and the words to add',
  visibility: 'Visibility',
  noVisibility: 'No day yet: the first score follows when the listing has five terms with a rank.',
  visibilityHint: 'How much of the searches for its terms the app reaches; 100 if it is first for all.',
  visibilityOf: (scored: string, all: string) => `Visibility on ${scored} of ${countDays(all)}.`,
  distribution: 'Where its keywords rank',
  distributionOn: (day: string) => `On ${day}, by rank.`,
  noDistribution: 'No keyword has been read yet.',
  ranks: (label: string) =>
    label === 'not_ranked' ? 'not in what was read' : label === 'unread' ? 'not read' : `rank ${label}`,
  top: {
    title: 'Top keywords',
    hint: 'Where the app ranks 10 or better, the keywords with the most traffic.',
    none: 'Of the keywords whose traffic is known, none ranks 10 or better yet.',
  },
  movers: 'What moved',
  period: 'Period',
  noMovers: (days: string) => `Nothing to compare yet: no keyword was also read ${days} earlier.`,
  moversShown: (shown: string) => `The ${shown} that moved most, of`,
  unread: 'Keywords without both days:',
  flags: 'What to improve',
  noFlags: 'No improvements found.',
};

/** What the pages of an app and of its listing say of the audit. */
export const audit = {
  audited: (time: string) => `Audit of ${time}.`,
  arrived: 'The audit has arrived.',
  severity: { critical: 'Critical', warning: 'Warning', info: 'Note' },
  awaited: (left: string, words: string) =>
    `Of the ${words} words of name and subtitle, ${left} are still to be read. The audit follows once most of them are known.`,
  nextLook: (time: string) => `What could not be read for certain yet is read again by ${time}.`,
  earlierAdvice: 'What to improve and the words to add are of an earlier listing.',
};

export const timeline = {
  title: 'Changes and notes',
  marks: 'Marks in the chart',
  kinds: { change: 'change', note: 'note' },
  fields: { title: 'Name', subtitle: 'Subtitle', description: 'Description' } as Readonly<
    Record<string, string>
  >,
  version: (version: string) => `version ${version}`,
  icon: 'icon',
  screenshots: 'screenshots',
  rival: 'competitor',
  date: 'Day',
  note: 'What happened on that day',
  add: 'Add a note',
  remove: 'Remove',
  removeOf: (text: string) => `Remove the note “${text}”`,
  removed: 'The note is removed.',
  none: 'No change of a listing and no note in the last 90 days.',
  hasMore: 'There are older changes; they are in the API.',
  added: 'new:',
  removedWords: 'gone:',
  more: (count: string) => ` and ${count} more`,
  predicted: 'predicted for the overall score:',
  runName: (id: string) => `Run ${id}`,
  whatFollowed: 'What followed',
  visibility: 'Visibility',
  effectHint:
    'Median ranks before and after that day; not ranked counts 101. “Moved after” does not say that the change was the cause.',
  othersHint:
    'The app also changed otherwise within some of these days. What moved there may have followed those changes.',
  others: 'Other changes within these days',
  otherChanges: (count: string) => (count === '0' ? 'none' : count === '1' ? '1 change' : `${count} changes`),
  daysAround: 'Days before and after',
  groups: { added: 'Keywords with new words', removed: 'With words that are gone', control: 'Others' },
  keywords: (count: string) => (count === '1' ? '1 keyword' : `${count} keywords`),
  moved: 'moved after the change',
  notMoved: 'no more than chance',
  tooFewKeywords: 'fewer than three',
  notCompared: 'not compared',
};

export const niches = {
  topic: 'Topic',
  submit: 'Analyze',
  cost: 'An analysis spends one API request, and one niche analysis of the month if it has to be made. What was analyzed before is shown free.',
  underWay: (topic: string) => `“${topic}” is being analyzed:`,
  starting: 'starting…',
  running: 'it runs…',
  waiting: 'it waits for its turn; before it:',
  phases: {
    candidates: 'the search terms around it are found…',
    reading: 'the terms are being read…',
    clusters: 'the terms are being clustered…',
  } as Readonly<Record<string, string>>,
  read: 'Terms read:',
  of: 'of',
  canLeave:
    'It takes a few minutes. You can leave this page: it goes on, and this address shows how far it is.',
  mustStay:
    'Stay here until it runs: an analysis that waits is dropped when its page is left, and costs nothing then.',
  notKept:
    'You have no analysis of this topic. Either it has not been made, or it did not complete, or a newer one has replaced yours.',
  analyzed: (time: string) => `Analyzed on ${time}.`,
  keywords: 'Keywords',
  keywordsOf: (cluster: string) => `Keywords of “${cluster}”`,
  leftOut: 'Terms found, but not scored:',
  warnings: {
    topic_page_unread:
      'The result page of the topic could not be read, so fewer keywords were found than usual.',
    topic_page_short: 'The store shows fewer than two apps for the topic, so there are no clusters.',
    no_terms_read: 'No other search term could be read, so there are no clusters. Try again later.',
    no_related_terms: 'No other term leads to the apps of the topic. Try a broader topic.',
    no_searched_terms: 'Hardly anybody searches for the topic and the terms about it. Try a broader topic.',
  } as Readonly<Record<string, string>>,
  owner: 'Track keywords for',
  noOwner: 'To track keywords, first track an app of this store, country and language.',
  opportunity: 'Opportunity, 0 to 100:',
  intents: {
    navigational: 'they look for one app',
    informational: 'they want to know something',
    utility: 'they want to get something done',
    entertainment: 'they want to be entertained',
    games: 'they want to play',
    learning: 'they want to learn',
    social: 'they want to meet others',
    lifestyle: 'they want to live better',
    shopping: 'they want to buy',
  } as Readonly<Record<string, string>>,
  all: (count: string) => `Show all ${count} keywords`,
  tracked: 'tracked, rank:',
  chooseShown: 'Choose those shown',
  track: (count: string) => `Track these (${count})`,
  trackOf: (count: string, cluster: string) => `Track the ${count} chosen keywords of “${cluster}”`,
  past: 'Past analyses',
  noPast: 'None yet. Enter a topic that people search for, such as “habit tracker”.',
  hasMore: 'There are more than this page shows.',
  storefront: 'Storefront',
  best: 'Best opportunity',
  clusters: 'Clusters',
  analyzedAt: 'Analyzed',
};

export const charts = {
  category: 'Category',
  collection: 'List',
  collections: { free: 'Free', paid: 'Paid', grossing: 'Grossing' } as Readonly<Record<string, string>>,
  show: 'Show',
  readAt: (day: string, time: string) => `Chart of ${day}, read on ${time}.`,
  rivalsUnknown: 'Which apps are your competitors could not be read.',
  unread: 'This chart has not been read today.',
  read: 'Read it (one API request)',
  reading: 'Reading the store…',
  caption: 'Top chart',
  app: 'App',
  rank: 'Rank',
  change: 'Since yesterday',
  developer: 'Developer',
  rating: 'Rating',
  actions: 'Actions',
  marks: { own: 'your app', rival: 'competitor' },
  owner: 'Competitors are added to',
  add: 'Add as competitor',
  addOf: (app: string) => `Add ${app} as a competitor`,
  added: (app: string, own: string) => `${app} is a competitor of ${own} now.`,
};

export const alerts = {
  caption: 'Alerts',
  none: 'No alert yet: your rules have found nothing. They compare each daily reading with the last one.',
  unknown: 'The alerts could not be read. Try again later.',
  what: 'What',
  app: 'App',
  keyword: 'Keyword',
  before: 'Before',
  after: 'After',
  day: 'Day',
  comparedWith: (day: string) => `compared with ${day}`,
  readOnce: 'read once only: it may be a fault of the store',
  newer: 'Newer alerts',
  older: 'Older alerts',
  kinds: {
    rank_drop: 'Rank fell',
    rank_rise: 'Rank rose',
    entered_top: 'Entered the first places',
    left_top: 'Left the first places',
    overtaken: 'Overtaken by a competitor',
    listing_changed: 'Listing changed',
    channel_off: 'A channel is off',
    rating_drop: 'Rating fell',
    audit_drop: 'ASO Health fell',
    chart_entered: 'Entered the chart of its category',
    chart_left: 'Left the chart of its category',
    store_blocked: 'Store cannot be read',
    store_recovered: 'Store can be read again',
    keyword_unread: 'Keywords not read',
    quota_used: 'Percent of the API requests used',
  } as Readonly<Record<string, string>>,
  fields: {
    title: 'name',
    subtitle: 'subtitle',
    description: 'description',
    version: 'version',
    icon: 'icon',
    screenshots: 'screenshots',
    unlisted_since: 'whether the store lists it',
  } as Readonly<Record<string, string>>,
  rules: 'Rules',
  hint: 'A rank counts as fallen or risen if the better of both ranks is 50 or better, and it moved by more places than the threshold and than a fifth of the better rank: from 20 to 26, where the threshold is 5. For the first places, the threshold is how many count. A day that could not be read is left out.',
  rulesUnknown: 'The rules could not be read. Try again later.',
  rule: 'Tell me when',
  threshold: 'Threshold',
  keywords: 'Keywords',
  sentTo: 'Sent to',
  which: { all: 'all', favorites: 'favorites', some: 'chosen ones:' },
  actions: 'Actions',
  remove: 'Delete',
  removeOf: (rule: string) => `Delete the rule “${rule}”`,
  removed: (rule: string) => `The rule “${rule}” is deleted.`,
  lost: 'The rule remembers which alerts it has raised. A new one may raise them again.',
  allApps: 'All apps',
  newRule: 'New rule',
  add: 'Add the rule',
};

export const channels = {
  title: 'Channels',
  hint: 'Where alerts are sent in addition to this page, for the rules that choose them.',
  unknown: 'The channels could not be read. Try again later.',
  feed: 'this page',
  types: { webhook: 'Webhook', slack: 'Slack or Discord', email: 'Mail' } as Readonly<Record<string, string>>,
  timings: { hourly: 'an hour’s alerts together', instant: 'each at once' } as Readonly<
    Record<string, string>
  >,
  noSuccess: 'Nothing was delivered yet.',
  lastSuccess: (time: string) => `Last delivered ${time}.`,
  failing: (time: string) => `Deliveries fail since ${time}.`,
  on: 'on',
  off: {
    account: 'off',
    gone: 'off: the receiver is gone',
    no_success: 'off: nothing was delivered for five days',
    unconfirmed:
      'off: the link in the mail to this address has not been used yet. Turn it on to send another one.',
    unsubscribed: 'off: its reader has unsubscribed. Turn it on to ask again.',
  } as Readonly<Record<string, string>>,
  remove: 'Delete',
  removeOf: (channel: string) => `Delete the channel ${channel}`,
  lost: 'Its address and its secret cannot be shown again, and its deliveries are deleted. Rules stop sending to it; alerts stay on this page.',
  show: 'Last deliveries',
  test: 'Send a test',
  noDelivery: 'Nothing was sent in the last 30 days.',
  deliveriesOf: (channel: string) => `Deliveries of ${channel}`,
  created: 'Created',
  outcome: 'Outcome',
  answer: 'Answer',
  actions: 'Actions',
  isTest: 'a test',
  states: { waiting: 'waits', delivered: 'delivered', failed: 'failed' },
  nextTry: (time: string) => `next try ${time}`,
  again: 'Send again',
  newChannel: 'New channel',
  name: 'Name',
  url: 'Address (https://…)',
  mailAddress: 'Mail address',
  mailHint: 'The address gets a mail with a link. Alerts are sent there once the link has been used.',
  timing: 'When',
  add: 'Add the channel',
  secretOnce: 'This secret signs what is sent. It is not shown again:',
  kept: 'I have saved it',
};

export const digests = {
  title: 'Digests',
  hint: 'The alerts of this page since the last digest, in one message to a channel. Without new alerts nothing is sent.',
  unknown: 'The digests could not be read. Try again later.',
  noChannel: 'Add a channel first.',
  every: { day: 'every day', week: 'on Mondays' } as Readonly<Record<string, string>>,
  allApps: 'all apps',
  next: (time: string) => `next ${time}`,
  channel: 'Channel',
  how: 'How often',
  hour: 'Hour, in your time zone',
  add: 'Add the digest',
  remove: 'Delete',
};

export const rivals = {
  none: 'This app has no competitor yet. Apps are added as competitors on the page of',
  rivalsUnknown: 'Which apps are its competitors could not be read:',
  compared: 'Compared with',
  matrix: 'Ranks by keyword',
  period: 'Changes of',
  yours: (app: string) => `${app} (yours)`,
  best: 'best',
  legend:
    'The best rank of a keyword is bold; “best” marks that of a competitor. A change is shown where an app ranked on both days.',
  lead: { ahead: 'You are best', behind: 'A competitor is best' },
  moved: { up: '▲ You went up', down: '▼ You went down' },
  pages: (at: string, count: string) => `Page ${at} of ${count}`,
  voice: 'Share of voice',
  voiceHint:
    'The share of the clicks on the result pages of the app’s terms that each app gets by its ranks, in percent. A term counts as much as it is searched.',
  voiceOn: (day: string) => `Of the result pages of ${day}.`,
  noVoice: 'No day yet: the first share follows when the result pages of the terms have been read.',
  termsRead: 'Terms read, of those tracked and those in the listing:',
  share: 'Share, %',
  change: 'In 7 days',
  others: 'All other apps',
  voiceOf: (read: string, days: string) => `Shares by day, known on ${read} of ${countDays(days)}.`,
  race: 'Visibility by day',
  raceHint:
    'How much of the searches for the same terms each app reaches, 0 to 100; 100 if it is first for all. The page of the app counts all terms of its visibility, so its score there may differ.',
  raceOf: (read: string, days: string) => `Visibilities by day, known on ${read} of ${countDays(days)}.`,
  gap: 'Keyword gap',
  gapHint:
    'Terms for which a competitor ranks well and you do not, from the result pages read so far. For terms that you do not track, only the first 20 results are known, and only their week. Value: KEI × gain, where gain is how much of the traffic counts for your app.',
  limits: {
    rival_max_rank: 'Competitor at rank, or better',
    own_min_rank: 'You at rank, or worse',
    min_traffic: 'Traffic, at least',
  },
  noGap: {
    no_competitors: 'There is no competitor to compare with.',
    no_pages: 'None of these competitors ranks well enough on a result page read so far.',
    too_shallow:
      'No result page that is read deep enough shows a gap. Lower the rank from which your own counts.',
    no_gap: 'On these result pages, you rank better.',
    filtered: 'All that was found is less searched than you ask for, or names a brand of others.',
  } as Readonly<Record<string, string>>,
  show: 'Show',
  own: 'You',
  rivals: 'Competitors',
  gain: 'Gain',
  value: 'Value',
  gapMore: 'The most valuable are shown; there are more in the API.',
  pagesRead: 'Result pages:',
  oldest: (day: string) => `the oldest of ${day}`,
  unread: 'not read deep enough:',
  truncated: 'Only the pages of the terms with the most traffic were looked at.',
  choose: (keyword: string) => `Choose ${keyword}`,
  tracked: 'tracked',
  weekOf: (day: string) => `week of ${day}`,
  track: (count: string) => `Track the chosen ones (${count})`,
  tryColumn: 'Simulator',
  spy: 'What a competitor ranks for',
  spyHint: 'Terms read so far on whose result page the competitor ranks.',
  rival: 'Competitor',
  spyOn: 'Show its terms (one API request)',
  reading: 'Reading…',
  spyOf: (app: string) => `Terms for which ${app} ranks`,
  spyNone: 'No result page read so far shows this app, which does not mean that it ranks for nothing.',
  pagesLabel: 'Pages of keywords',
  previous: 'Previous',
  next: 'Next',
};

export const sharedApp = {
  readBy: (reader: string) => `Read by ${reader}.`,
  lastRead: (reader: string, day: string) => `Read by ${reader}, last on ${day}.`,
  about: (endsAt: string) => `Shown by a link that ends on ${endsAt}.`,
  ranks: 'Ranks of its keywords',
  changes: 'Changes of its listing',
  noChanges: 'No change in the last 90 days.',
  moreChanges: 'There are older changes.',
};

export const shareLinks = {
  title: 'Links that show this app',
  about:
    'People with the link see the ranks, the visibility, the distribution and the changes of this app, and nothing else. It needs no key.',
  label: 'A name for you; the page does not show it',
  days: 'Days',
  submit: 'Make a link',
  once: 'This is the only time that the address is shown.',
  copy: 'Copy the address',
  copied: 'Copied.',
  none: 'No link yet.',
  until: (time: string) => `until ${time}`,
  end: 'End it',
  endOf: (label: string) => `End the link “${label}”`,
  lost: 'Its address stops working for everyone who has it, for good: a new link has a new address.',
  ended: (label: string) => `The link “${label}” has ended.`,
};

export const keyword = {
  favorite: 'Favorite (f)',
  rankRead: (day: string) => `Read on ${day}.`,
  changeSince: (day: string) => `Since ${day} (7 days):`,
  history: 'Rank by day',
  historyOf: (read: string, from: string, to: string) => `Read on ${countDays(read)} from ${from} to ${to}.`,
  results: 'First results',
  resultsOn: (day: string) => `As the store answered on ${day}.`,
  noResults: 'The store showed no app for this keyword.',
  fewerResults: {
    not_scored: 'These are the first five; the first ten follow with the scores.',
    other_page: 'These are the first five; the scores are of another reading of the store.',
  },
  scored: (time: string) => `Scores of ${time}.`,
  yourApp: 'your app',
  ownRank: 'Rank of your app:',
  ratings: 'ratings',
  opened: 'How the scores are computed',
  /** The letters of the formulas (docs/scores.md). */
  parts: {
    traffic: {
      suggest: [
        'Suggestions of the store',
        'How early the store suggests it while it is typed, and how high in the list.',
      ],
      L: ['Ratings of the biggest app', 'Of the first five; less where the titles do not match the keyword.'],
      X: ['Ratings of the biggest app that names it', 'Of those of the first five with it in the title.'],
      D: ['Ratings of the median app', 'Of the first ten; less where the titles do not match the keyword.'],
      M: ['Titles that name it', 'Of the first ten; less when there are fewer.'],
      C: ['Apps of the top chart', 'Of the first ten, those in the first 100 of the free chart.'],
    },
    difficulty: {
      A: ['Ratings of the first ten', 'On Google Play, installs. Higher places count more.'],
      T: ['Titles that name it', 'How well those of the first ten name the keyword.'],
      S: ['Apps that are not weak', 'Of the first ten: from 100 ratings on, fully from 10,000.'],
      Q: ['Stars', 'How well the first ten are rated; few ratings count less.'],
      F: ['Recent updates', 'How recently the first ten were updated.'],
    },
  } as Readonly<Record<'traffic' | 'difficulty', Readonly<Record<string, readonly [string, string]>>>>,
  partsHint: {
    traffic:
      'The points add up to the traffic. The maxima add up to less than 100 for a keyword of several words. Unread parts give their points to the others.',
    difficulty: 'The points add up to the difficulty: a long bar means that it is harder to rank.',
  },
  version: (version: string) => `Scoring version ${version}.`,
  inputs: 'Inputs',
  kei: {
    rated: (level: string) => `KEI: ${level}.`,
    levels: { excellent: 'excellent', good: 'good', fair: 'fair', poor: 'poor' },
    held: {
      no_results: 'It is 0, because the store shows no app for this keyword.',
      unsearched: 'It is at most 19.9, because people do not search for this keyword.',
      search_unknown: 'It is at most 19.9 until it is known that people search for this keyword.',
      brand: 'It is at most 39.9, because the keyword names a brand: people who search for it want that app.',
      few_results:
        'It is lowered, because the store shows fewer than five apps: a sign that hardly anyone wants this.',
    },
    formula:
      'Traffic above 5 on a logarithmic scale, times the part of 100 that the difficulty leaves. With fewer than five results, each counts for a fifth of it. It is at most 19.9 if people are not known to search for the keyword, and at most 39.9 for the name of a brand.',
  },
  ageToday: 'today',
  age: (days: string) => `${countDays(days)} ago`,
  part: 'Part',
  valueHeads: { traffic: 'Value: more is searched more', difficulty: 'Value: more is harder' },
  points: 'Points / maximum',
  scoreHistory: {
    title: 'Scores by day',
    line: (score: string, version: string) => `${score}, scoring version ${version}`,
    sentence: (measured: string, from: string, to: string) =>
      `Traffic and difficulty, computed on ${countDays(measured)} from ${from} to ${to}.`,
    firstDay: 'A line by day begins once the scores were computed on two days.',
    versionSince: (version: string, day: string) =>
      `Scoring version ${version} since ${day}. Its scores are not compared with those before.`,
    version: 'Scoring version',
  },
  related: {
    title: 'Related keywords',
    notRead: 'Not read yet: they come from the titles that rank for this keyword.',
    none: 'The titles that rank for this keyword have none that is searched.',
  },
  neighbors: {
    label: 'Keywords of the list',
    list: 'All keywords',
    previous: '[ Previous',
    next: 'Next ]',
    first: 'This is the first keyword of the list.',
    last: 'This is the last keyword of the list.',
    outside: 'The filters of the list leave this keyword out.',
  },
};

export const listing = {
  nothingSaved: 'Shelfwise reads the store. Nothing on this page is saved to it.',
  notes: {
    no_answer: 'The audit did not answer. Try again in a minute.',
    pending: 'The words of this listing are being read. Scores and advice follow.',
    partial: 'Scores leave out what is not read yet, and can still change.',
    stale: 'The store could not be read: this is an older reading.',
  },
  adviceAwaited: 'They come with the audit, once the words of the listing are read.',
  unlisted: (time: string) => `The store does not list this app any more. First seen ${time}.`,
  fields: 'Fields',
  lengthOf: 'Length',
  tooMany: (count: string) => `${count} too many`,
  whole: 'The whole text is in the simulator.',
  score: 'Score',
  neverShown: 'Not known: the App Store never shows it. Below you can say what it holds.',
  notRead: 'Not known: it has not been read yet.',
  empty: 'This field is empty.',
  words: (field: string) => `Words of ${field}`,
  noWords: 'No word of this field is counted.',
  counts: 'counts',
  countsHint: 'What a word counts is its traffic, as far as it fits the app.',
  status: {
    earning: 'earning',
    irrelevant: 'irrelevant',
    'already-used': 'already used',
    'not-searched': 'not searched',
    pending: 'being read',
    covered: 'covered',
    missing: 'missing here',
    'extra-reach': 'extra reach',
  },
  flags: 'What to improve',
  noFlags: 'No improvements found.',
  fix: 'Fix:',
  /** In place of those that name addresses of the API. */
  fixes: {
    KW_FIELD_UNKNOWN:
      'Save what it holds on the page Listing, or write it into a draft. Then it is scored, too.',
  } as Readonly<Record<string, string>>,
  evidence: 'Evidence',
  wordsToAdd: 'Words to add',
  wordsToAddHint:
    'Each raises the overall score when it is added alone. The first of a field raises it most. If few of the first ten apps are of your genre, people who search for the word look for something else.',
  noWordsToAdd: 'No word was found that fits and raises the score.',
  wordsToAddUnknown:
    'None are advised: no finding asks for words, or none are known yet. They come from keywords that you track, from similar apps and from your description.',
  word: 'Word',
  field: 'Field',
  source: 'Source',
  sources: {
    titles: 'titles of similar apps',
    description: 'your description',
    pages: 'pages on which you rank',
    tracked: 'keywords you track',
  },
  noRank: 'not ranked, or not read',
  genreShare: 'Of your genre, %',
  tryColumn: 'Try',
  keywordsField: 'Keywords field',
  keywordsFieldHint:
    'The App Store never shows it. Saved here, it counts in the audit and in drafts. App Store Connect is not changed.',
  notKept: 'None is saved: what the field holds is not known.',
  keptSince: (time: string) => `Saved on ${time}.`,
  keep: 'Save it here',
  forget: 'Remove it',
  kept: 'Saved. Its words are read within minutes.',
  forgotten: 'What the field holds is not known any more.',
  of: (length: string, limit: string) => `${length} of ${limit}`,
};

export const simulator = {
  nothingSaved: 'A draft is saved here for 30 days, and never in a store.',
  live: 'Live',
  liveThen: 'Live, at that time',
  draft: 'Draft',
  liveUnknown: 'not known',
  liveEmpty: 'empty',
  /** In place of a text that is unknown, live and in the draft. */
  draftUnknown: 'not known: left out of the score',
  isLive: 'as live',
  isUnknown: 'not changed (not known)',
  useLive: 'Use the live text',
  useUnknown: 'Leave it as it is',
  copy: 'Copy for the store',
  copied: (field: string) => `${field} is copied.`,
  selected: 'The text is selected: copy it with Ctrl or Cmd C.',
  levels: { error: 'Error', warning: 'Warning', info: 'Note' },
  notes: 'Notes',
  kept: (time: string) => `Draft saved ${time}.`,
  keeping: 'Saving the draft…',
  notKept: 'Nothing is saved: the draft is the live listing.',
  startAgain: 'Start again from the live listing',
  startedAgain: 'The draft is the live listing again.',
  score: 'Score the draft',
  cost: 'Spends one API request and one simulation of the month.',
  scoring: 'Scoring. Words that are new are read from the store, which takes some seconds…',
  result: (id: string, time: string) => `Score of run ${id}, ${time}`,
  otherTexts: (id: string) =>
    `This is run ${id}. The draft above has other texts: score it to see what they bring.`,
  version: (version: string) => `Scoring version ${version}.`,
  emptyField:
    'Compared with the listing and an empty keywords field, because that of the app is not known. You can save it on the page Listing.',
  axis: 'Axis',
  axes: { global: 'Overall', coverage: 'Coverage', targeting: 'Targeting', appeal: 'Appeal' },
  draftScore: 'Draft',
  change: 'Change',
  bounds: 'Once the pending phrases are read',
  withoutBounds: { nothing_pending: 'nothing pending', words_not_read: 'known when its words are read' },
  from: 'from',
  to: 'to',
  words: 'Words won and lost',
  otherVersion: 'Scores of different versions are not compared. Score the draft again.',
  noWords: 'This run was saved without its words. Score the draft again to see them.',
  noAudit: 'There is no audit of the live listing to compare with yet.',
  noChanges: 'No word is won or lost.',
  kinds: { won: 'Won', lost: 'Lost' },
  why: 'Why',
  place: (status: string, field: string) => `${status} in ${field}`,
  nowhere: 'not there',
  becomes: (before: string, after: string) => `${before}, now ${after}`,
  terms: 'Terms and verdicts',
  termsHint:
    'In points of traffic. Brings: the part that the app can win. Costs: the part of people who look for something else.',
  sameAs: (other: string) => `counts once, as “${other}”`,
  noTerms: 'No graded term is known.',
  term: 'Term',
  verdict: 'Verdict',
  verdicts: { reachable: 'reachable', ambitious: 'ambitious', 'out-of-reach': 'out of reach' },
  reasons: {
    'rival-brand': 'brand of a competitor',
    'not-your-business': 'not your business',
    'too-hard': 'too hard',
    held: 'you rank 10 or better',
  },
  won: 'Brings',
  lost: 'Costs',
  runs: 'Saved runs',
  runsHint: 'The same history as in the API.',
  noRuns: 'No run of this app is saved.',
  runsUnknown: 'The saved runs did not answer. Try again in a minute.',
  moreRuns: 'The last 200 runs of the account are looked at; older ones are in the API.',
  run: 'Run',
  at: 'Time',
  runTitle: 'Name',
  noTitle: 'not known',
  liveRun: 'the live listing',
  times: 'Times scored',
  versionColumn: 'Version',
  show: 'Show',
  showRun: (id: string) => `Show run ${id}`,
  compare: 'Compare',
  compareRun: (id: string) => `Compare with run ${id}`,
  take: 'Use its texts',
  taken: 'The draft has the texts of the run.',
  comparison: (id: string, other: string) => `Run ${id} against run ${other}`,
  unreadInRun: (id: string) =>
    `When run ${id} was scored, some words were not read yet. Its scores may leave them out: score it again before you compare.`,
  texts: 'Texts that differ',
  noTexts: 'The texts are the same.',
  close: 'Close the comparison',
  signInAgain: 'Sign in again here. What is typed stays.',
  otherAccount: (email: string) => `This page belongs to ${email}. Sign in as that account.`,
};

export const account = {
  plan: (plan: string) => `plan: ${plan}`,
  planOf: (plan: string, limit: string) => `plan: ${plan} (${limit} API requests a month)`,
  usage: 'Usage',
  feature: 'Feature',
  features: {
    apps: 'Apps',
    keywords: 'Keywords',
    competitors: 'Competitors',
    api_requests: 'API requests this month',
    keyword_inspections: 'Inspections of untracked keywords this month',
    niche_analyses: 'Niche analyses this month',
    autocomplete_queries: 'Autocomplete queries this month',
    metadata_simulations: 'Simulations this month',
  },
  used: 'Used',
  limit: 'Limit',
  noLimit: 'no limit',
  renews: (time: string) => `Monthly counts reset on ${time}.`,
  key: 'API key',
  keyEnds:
    'A new key replaces the old one at once and ends all other sessions. To confirm, type the start of the old one.',
  keyOnce: 'This is the only time that the key is shown. Other sessions have ended.',
  keyMade: (time: string) => `Made on ${time}.`,
  keyMadeUnknown: 'It is not known when it was made.',
  keyStart: 'The first twelve characters of the current key, as above',
  regenerate: 'Make a new key',
  assistants: 'Connect an assistant',
  curl: 'Call the API',
  wholeKey: (start: string) => `Put your whole key in place of ${start} below.`,
  copy: 'Copy',
  copied: 'Copied.',
  sessions: 'Sessions',
  browserOn: (browser: string, system: string) => `${browser} on ${system}`,
  unknownBrowser: 'unknown browser',
  userAgent: 'User agent',
  since: (made: string, seen: string) => `since ${made}, last seen ${seen}`,
  thisSession: 'this one',
  end: 'End session',
  connections: 'Connected assistants',
  noConnection: 'None. Assistants with your key are not listed.',
  address: 'Add this address in an assistant that connects by itself:',
  noAddress: 'Assistants that connect by themselves need the setting PUBLIC_URL, with https.',
  mayRead: 'may read',
  mayWrite: 'may read and change',
  connected: (made: string, used: string) => `since ${made}, last renewed ${used}`,
  endConnection: 'End connection',
  endAll: 'End all connections',
  connectionsStay: 'Connected assistants do not use the key and stay.',
};

export const chart = {
  notRanked: 'none',
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

export const confirm = { keep: 'Keep it' };

export const dismiss = 'Dismiss';

export const days = 'Days are UTC.';

export const utc = (time: string) => `${time} UTC`;

/** Between what was and what is. */
export const becomes = '→';

export const today = (day: string) => `${day} (UTC)`;
