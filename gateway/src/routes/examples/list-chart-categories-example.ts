/** As the sample store answers it, lists cut short. */
export const listChartCategoriesExample = {
  data: {
    collections: ['free', 'paid', 'grossing'],
    categories: {
      ITUNES: [
        {
          key: 'OVERALL',
          label: 'Overall',
        },
        {
          key: '6007',
          label: 'Productivity',
        },
      ],
      GPLAY: [
        {
          key: 'OVERALL',
          label: 'Overall',
        },
        {
          key: 'PRODUCTIVITY',
          label: 'Productivity',
        },
      ],
    },
  },
};
