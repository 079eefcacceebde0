/** As the sample store answers it, lists cut short. */
export const getTopChartExample = {
  data: {
    store: 'ITUNES',
    country: 'US',
    category: 'OVERALL',
    collection: 'free',
    snapshot_date: '2026-11-21',
    total_count: 100,
    rows: [
      {
        rank: 1,
        app_id: '9048598736',
        ios_id: 9048598736,
        title: 'Habit Tracker - Ritualwick',
        developer: 'Ritualwick GmbH',
        icon: 'https://sample.example/icons/ritualwick.png',
        rating: 4.65,
        price: 0,
        currency: 'USD',
        delta: 2,
        is_new: false,
      },
    ],
  },
  meta: {
    total: 100,
    read_at: '2026-11-21T20:39:25.000Z',
  },
};
