/** The sample store's answer. */
export const listNichesExample = {
  data: [
    {
      id: 1,
      topic: 'habit tracker',
      store: 'ITUNES',
      country: 'US',
      lang: 'en-US',
      clusters_count: 3,
      keywords_count: 22,
      top_opportunity_score: 42.2,
      created_at: '2026-11-21T21:55:30.110Z',
    },
  ],
  meta: { total: 1, page: 1, per_page: 50, total_pages: 1, has_more: false },
};
