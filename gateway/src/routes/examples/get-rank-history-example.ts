/** The sample store's answer. */
export const getRankHistoryExample = {
  data: {
    keyword_id: 1,
    keyword: 'habit tracker',
    store: 'ITUNES',
    country: 'US',
    apps: [
      {
        app_id: 1,
        app_title: 'Habitember - Habit Tracker',
        history: [
          {
            date: '2026-11-21',
            rank: 2,
          },
        ],
      },
    ],
  },
  meta: {
    from: '2026-10-22',
    to: '2026-11-21',
    total_apps: 1,
    snapshot_depths: [
      {
        date: '2026-11-21',
        depth: 51,
      },
    ],
  },
};
