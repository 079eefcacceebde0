/** Removes the scores from keyword rows: they are measured after tracking, and again every day. */
export function withoutScores(rows: readonly Record<string, unknown>[]) {
  return rows.map(({ difficulty_score: _difficulty, traffic_score: _traffic, ...row }) => row);
}
