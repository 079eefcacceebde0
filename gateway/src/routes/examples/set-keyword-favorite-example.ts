/** The sample store's answer. */
export const setKeywordFavoriteExample = {
  body: {
    is_favorite: true,
  },
  data: {
    keyword_id: 1,
    app_id: 1,
    is_favorite: true,
  },
};
