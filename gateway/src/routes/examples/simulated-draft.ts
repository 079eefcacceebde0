/** The simulation of the README’s tour, made on the audit that `auditedApp` shows. */
export const simulatedDraft = {
  app: {
    id: 1,
    app_id: '9005997251',
    title: 'Habitember - Habit Tracker',
    store: 'ITUNES',
    country: 'US',
    lang: 'en-US',
  },
  store: 'ITUNES',
  country: 'US',
  lang: 'en-US',
  listing: {
    title: 'Habitember - Habit Tracker',
    subtitle: 'Routine Planner: Goals & Mood',
    description:
      'Looking for a habit tracker that stays out of your way? Habitember does one job and does it well, on a busy Monday as much as on a lazy Sunday.',
    kw_field: '',
  },
  aso_health: {
    global: 74,
    coverage: 97,
    targeting: 45,
    appeal: 94,
    tier: 2,
    tier_label: 'Growing',
  },
  delta: {
    global: 2,
    coverage: 8,
    targeting: 1,
    appeal: 0,
  },
  flags: [
    {
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
    },
    {
      code: 'KW_FIELD_UNKNOWN',
      axis: 'coverage',
      severity: 'info',
      title: 'The keywords field is not known',
      impact: 'The store never shows it: coverage is reckoned from the name and the subtitle alone.',
      fix: 'Send the field with a simulation to have it scored too.',
      evidence: null,
    },
  ],
  words_probed: 9,
  words_fetched: 2,
  saved: {
    id: 1,
    is_new: true,
  },
  notes: [],
};

/** What was sent for it. */
export const draftToSimulate = { app_id: 1, subtitle: 'Routine Planner: Goals & Mood' };
