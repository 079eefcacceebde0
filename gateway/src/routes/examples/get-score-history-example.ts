/** The sample store's answer. */
export const getScoreHistoryExample = {
  data: {
    app_id: 1,
    history: [
      {
        date: '2026-11-21',
        score: 62.4,
        ratings: 72650,
      },
    ],
  },
  meta: {
    from: '2026-10-22',
    to: '2026-11-21',
    total: 1,
  },
};
