/** The sample store's answer. */
export const checkMetadataExample = {
  body: {
    store: 'ITUNES',
    title: 'Best Habit Tracker',
    kw_field: 'routine, planner,daily goals',
  },
  data: {
    store: 'ITUNES',
    valid: true,
    fields: [
      {
        field: 'title',
        store_field: 'Name',
        indexed: true,
        length: 18,
        limit: 30,
        remaining: 12,
        over: false,
        warnings: [
          {
            level: 'warning',
            message: 'A reviewer of the App Store may object to claims of a rank in the Name: "Best".',
            rule: 'ranking',
          },
        ],
      },
      {
        field: 'kw_field',
        store_field: 'Keywords',
        indexed: true,
        length: 28,
        limit: 100,
        remaining: 72,
        over: false,
        warnings: [
          {
            level: 'warning',
            message: '1 unneeded space: separate keywords by a comma alone.',
            rule: null,
          },
          {
            level: 'info',
            message: 'The words of a phrase gain as much when commas separate them: "daily goals".',
            rule: null,
          },
        ],
      },
    ],
    keywords: {
      terms: ['routine', 'planner', 'daily goals'],
      duplicates: [],
      too_short: [],
      phrases: ['daily goals'],
      wasted_on_spaces: 1,
      wasted_on_duplicates: 0,
    },
    notes: [],
  },
};
