/** The sample store's answer. */
export const trackCompetitorExample = {
  body: {
    app_id: 1,
    competitor_app_id: '9048598736',
    store: 'ITUNES',
    country: 'US',
    lang: 'en-US',
  },
  data: {
    id: 1,
    competitor: {
      id: 2,
      app_id: '9048598736',
      title: 'Habit Tracker - Ritualwick',
    },
  },
};
