/**
 * Rows of `GET /keywords` without their scores, to compare two answers: scores are measured in the background and may
 * change between them.
 */
export function withoutScores(rows: readonly Record<string, unknown>[]) {
  return rows.map(
    ({
      difficulty_score: _difficulty,
      traffic_score: _traffic,
      kei_score: _kei,
      kei_reason: _keiReason,
      is_partial: _partial,
      scored_at: _scoredAt,
      ...row
    }) => row,
  );
}
