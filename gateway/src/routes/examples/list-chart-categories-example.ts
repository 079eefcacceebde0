/** The sample store's answer, with shortened lists. */
export const listChartCategoriesExample = {
  truncation: 'Shortened to 3 of 44 categories of the App Store and 3 of 54 of Google Play.',
  data: {
    collections: ['free', 'paid', 'grossing'],
    categories: {
      ITUNES: [
        {
          key: 'OVERALL',
          label: 'Overall',
        },
        {
          key: '6000',
          label: 'Business',
        },
        {
          key: '6001',
          label: 'Weather',
        },
      ],
      GPLAY: [
        {
          key: 'OVERALL',
          label: 'Overall',
        },
        {
          key: 'ANDROID_WEAR',
          label: 'Wear OS',
        },
        {
          key: 'ART_AND_DESIGN',
          label: 'Art & Design',
        },
      ],
    },
  },
};
