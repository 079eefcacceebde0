/** The sample store's answer. */
export const untrackCompetitorExample = {
  data: {
    id: 1,
    removed: true,
  },
};
