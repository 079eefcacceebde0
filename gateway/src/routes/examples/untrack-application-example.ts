/** The sample store's answer. */
export const untrackApplicationExample = {
  data: {
    id: 1,
    already_removed: false,
  },
};
