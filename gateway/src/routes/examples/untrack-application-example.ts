/** As the sample store answers it, lists cut short. */
export const untrackApplicationExample = {
  data: {
    id: 1,
    already_removed: false,
  },
};
