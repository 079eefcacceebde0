/** As the sample store answers it, lists cut short. */
export const listNichesExample = {
  data: [
    {
      id: 1,
      topic: 'habit tracker',
      store: 'ITUNES',
      country: 'US',
      lang: 'en-US',
      clusters_count: 16,
      keywords_count: 57,
      top_opportunity_score: 47.9,
      created_at: '2026-11-21T20:55:25.138Z',
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
