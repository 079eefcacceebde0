/** Rows of keywords without what is measured after they are tracked, and again every day. */
export function withoutScores(rows: readonly Record<string, unknown>[]) {
  return rows.map(({ difficulty_score: _difficulty, traffic_score: _traffic, ...row }) => row);
}
