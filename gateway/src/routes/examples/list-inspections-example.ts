/** The sample store's answer. */
export const listInspectionsExample = {
  data: [
    {
      id: 1,
      keyword_name: 'habit tracker',
      store: 'ITUNES',
      country: 'US',
      lang: 'en-US',
      difficulty_score: 60,
      traffic_score: 68,
      last_inspected_at: '2026-11-21T20:55:18.031Z',
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
