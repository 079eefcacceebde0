/** As the sample store answers it. */
export const untrackCompetitorExample = {
  data: {
    id: 1,
    removed: true,
  },
};
