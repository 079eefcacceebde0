/** As the sample store answers it, lists cut short. */
export const runAutocompleteExample = {
  data: {
    suggestions: ['habit tracker', 'habit tracker without ads', 'habit builder'],
    normalized_prefix: 'habit',
    store: 'ITUNES',
    country: 'US',
    lang: 'en-US',
  },
};
