// Values that the examples about one sample app share.

export const app = {
  id: 1,
  app_id: '9005997251',
  title: 'Habitember - Habit Tracker',
  store: 'ITUNES',
  country: 'US',
  lang: 'en-US',
};

export const titleField = {
  key: 'title',
  label: 'Name',
  hint: null,
  score: 97,
  state: 'scored',
  length: 26,
  limit: 30,
  text: 'Habitember - Habit Tracker',
  truncated: false,
};

export const keywordsField = {
  key: 'kw_field',
  label: 'Keywords',
  hint: 'The store never shows this field: send it with a simulation to have it scored.',
  score: null,
  state: 'missing',
  length: null,
  limit: 100,
  text: null,
  truncated: false,
};

export const descriptionField = {
  key: 'description',
  label: 'Description',
  hint: 'The store does not index this text: it only has to convince those who read it.',
  score: null,
  state: 'scored',
  length: 727,
  limit: 4000,
  text: 'Looking for a habit tracker that stays out of your way? Habitember does one job and does it well, on a busy Monday as much as on a lazy Sunday.\n\nHIGHLIGHTS\n- Ti',
  truncated: true,
};

export const targeting = {
  assessable: true,
  keywords: [
    {
      name: 'planner',
      field: 'subtitle',
      traffic: 75,
      difficulty: 86,
      verdict: 'out-of-reach',
    },
    {
      name: 'habitember',
      field: 'title',
      traffic: 68,
      difficulty: 10,
      verdict: 'reachable',
    },
    {
      name: 'habit tracker',
      field: 'title',
      traffic: 68,
      difficulty: 60,
      verdict: 'ambitious',
    },
  ],
  ungraded: 0,
  unsearched: 0,
  unsearched_words: [],
};

export const appeal = {
  rating: {
    value: 4.5,
  },
  screenshots: {
    count: 4,
    target: 6,
  },
  freshness: {
    days_since_update: 5,
  },
};

export const fewScreenshots = {
  code: 'SCREENSHOTS_FEW',
  axis: 'appeal',
  severity: 'warning',
  title: 'There are few screenshots',
  impact: 'Visitors look at pictures before they read anything; there is room for more of them.',
  fix: 'Add pictures of the features that are not shown yet, each with a line that says what it does.',
  evidence: {
    screenshots: 4,
    target: 6,
  },
};

export const keywordsFieldUnknown = {
  code: 'KW_FIELD_UNKNOWN',
  axis: 'coverage',
  severity: 'info',
  title: 'The keywords field is not known',
  impact: 'The store never shows it: coverage is computed from the name and the subtitle alone.',
  fix: 'Send the field with a simulation to have it scored too.',
  evidence: null,
};

/** The draft: a longer subtitle; the other texts are those of the live listing. */
export const draft = {
  title: 'Habitember - Habit Tracker',
  subtitle: 'Routine Planner: Goals & Mood',
  description:
    'Looking for a habit tracker that stays out of your way? Habitember does one job and does it well, on a busy Monday as much as on a lazy Sunday.\n\nHIGHLIGHTS\n- Tick off your habits and watch the streak grow, day after day.\n- Plan habits for certain days, several times a day or a few times a week.\n- Syncs between your phone and tablet, so you can pick up where you left off.\n- No account is needed to get started.\n- Share with family or friends and decide who may see what.\n- Dark mode and large text are supported on every screen.\n\nPeople find Habitember when they look for daily routine, goal tracker or routine planner.\n\nThe basic version is free. An optional subscription unlocks everything and can be cancelled at any time.',
  kw_field: '',
};

export const draftScores = {
  global: 74,
  coverage: 97,
  targeting: 45,
  appeal: 94,
  tier: 2,
  tier_label: 'Growing',
};

export const draftDelta = {
  global: 2,
  coverage: 8,
  targeting: 1,
  appeal: 0,
};
