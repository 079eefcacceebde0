/** The sample store's answer. */
export const trackApplicationExample = {
  body: {
    app_id: '9005997251',
    store: 'ITUNES',
    country: 'US',
    lang: 'en-US',
  },
  data: {
    id: 1,
    app: {
      id: '9005997251',
      title: 'Habitember - Habit Tracker',
    },
  },
};
