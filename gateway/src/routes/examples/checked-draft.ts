/** The check of the README’s tour: the answer to `draftToCheck`. */
export const checkedDraft = {
  store: 'GPLAY',
  valid: false,
  fields: [
    {
      field: 'title',
      store_field: 'App name',
      indexed: true,
      length: 18,
      limit: 30,
      remaining: 12,
      over: false,
      warnings: [
        {
          level: 'error',
          message: 'Google Play refuses claims of a rank in the App name: "Best".',
          rule: 'ranking',
        },
      ],
    },
  ],
  notes: [],
};

export const draftToCheck = { store: 'GPLAY', title: 'Best Habit Tracker' };
