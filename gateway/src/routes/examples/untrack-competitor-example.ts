/** As the sample store answers it, lists cut short. */
export const untrackCompetitorExample = {
  data: {
    id: 1,
    removed: true,
  },
};
