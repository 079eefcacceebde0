/** As the sample store answers it. */
export const simulateMetadataExample = {
  body: {
    app_id: 1,
    subtitle: 'Routine Planner: Goals & Mood',
  },
  data: {
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
        'Looking for a habit tracker that stays out of your way? Habitember does one job and does it well, on a busy Monday as much as on a lazy Sunday.\n\nHIGHLIGHTS\n- Tick off your habits and watch the streak grow, day after day.\n- Plan habits for certain days, several times a day or a few times a week.\n- Syncs between your phone and tablet, so you can pick up where you left off.\n- No account is needed to get started.\n- Share with family or friends and decide who may see what.\n- Dark mode and large text are supported on every screen.\n\nPeople find Habitember when they look for daily routine, goal tracker or routine planner.\n\nThe basic version is free. An optional subscription unlocks everything and can be cancelled at any time.',
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
  },
};
