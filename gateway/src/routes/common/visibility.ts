/** What descriptions of visibility scores add: the terms that they rest on are not fixed from the first moment. */
export const firstDayMoves =
  'On an app’s first UTC day keywords that are tracked for it still join its terms, so that scores of that day move; the first daily reading fixes them.';
