/** The sample store's answer. */
export const listSimulationsExample = {
  data: [
    {
      id: 1,
      app_id: 1,
      store: 'ITUNES',
      country: 'US',
      lang: 'en-US',
      title: 'Habitember - Habit Tracker',
      baseline_global: 72,
      edited: true,
      runs_count: 1,
      last_run_at: '2026-11-21T20:55:16.538Z',
      aso_health: {
        global: 74,
        coverage: 97,
        targeting: 45,
        appeal: 94,
      },
    },
  ],
  meta: {
    total: 1,
    page: 1,
    per_page: 50,
    total_pages: 1,
    has_more: false,
  },
};
