/** The sample store's answer. */
export const untrackKeywordExample = {
  data: {
    keyword_id: 2,
    app_id: 1,
    already_removed: false,
  },
};
