/** As the sample store answers it, lists cut short. */
export const runAutocompleteExample = {
  data: {
    suggestions: ['habit tracker', 'habits', 'habit builder'],
    normalized_prefix: 'habit',
    store: 'ITUNES',
    country: 'US',
    lang: 'en-US',
  },
};
