/** The sample store's answer. */
export const trackKeywordsExample = {
  body: {
    keywords: ['habit tracker', 'Habit  Tracker', 'daily planner'],
    app_id: 1,
    store: 'ITUNES',
    country: 'US',
    lang: 'en-US',
  },
  data: {
    results: [
      {
        keyword: 'habit tracker',
        success: 'Habitember - Habit Tracker ranks 2nd of 51 results for “habit tracker”.',
      },
      {
        keyword: 'habit tracker',
        error: 'This call contains the keyword twice: only the first one counts.',
      },
      {
        keyword: 'daily planner',
        success: 'Habitember - Habit Tracker ranks 11th of 100 results for “daily planner”.',
      },
    ],
    success_count: 2,
    error_count: 1,
  },
};
