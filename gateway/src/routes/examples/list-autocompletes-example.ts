/** The sample store's answer. */
export const listAutocompletesExample = {
  data: [
    {
      id: 1,
      prefix: 'habit',
      store: 'ITUNES',
      country: 'US',
      lang: 'en-US',
      suggestion_count: 10,
      last_queried_at: '2026-11-21T21:42:55.969Z',
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
