/** As the sample store answers it. */
export const untrackApplicationExample = {
  data: {
    id: 1,
    already_removed: false,
  },
};
