/** The ASO Health of a listing according to an audit whose words were all measured. */
export type AuditScore = {
  /** 0 to 100 */
  global: number;
  scoring_version: number;
  /** YYYY-MM-DD: the UTC day of the audit */
  day: string;
};

/** The newest such audit of a listing, and the last one of an earlier day: days are compared, not two audits of one day. */
export type KeptAudit = {
  newest: AuditScore;
  /** Null: none is known, or it is of another scoring version. */
  day_before: AuditScore | null;
};

/**
 * What to keep after a newer audit. Audits of different scoring versions are never compared: the first one of a version has
 * nothing before it.
 */
export function nextAudit(kept: KeptAudit | null, newest: AuditScore): KeptAudit {
  if (!kept || kept.newest.scoring_version !== newest.scoring_version) return { newest, day_before: null };
  return { newest, day_before: kept.newest.day < newest.day ? kept.newest : kept.day_before };
}

/** Whether the ASO Health fell by at least `points` since the last day with an audit. */
export function isAuditDrop({ newest, day_before: before }: KeptAudit, points: number): boolean {
  return before !== null && before.global - newest.global >= points;
}
