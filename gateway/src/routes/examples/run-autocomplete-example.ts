/** The sample store's answer. */
export const runAutocompleteExample = {
  data: {
    suggestions: [
      'habit tracker',
      'habits',
      'habit builder',
      'habit tracker adhd',
      'habit tracker with mood',
      'habitember',
      'habit tracker calendar',
      'habit tracker without ads',
      'habit tracker goals',
      'habit tracker for couples',
    ],
    normalized_prefix: 'habit',
    store: 'ITUNES',
    country: 'US',
    lang: 'en-US',
  },
};
