/** The ASO Health of a listing by an audit whose words were all measured. */
export type AuditDay = {
  /** YYYY-MM-DD: the UTC day of the audit */
  day: string;
  /** when it was computed */
  at: Date;
  /** 0 to 100 */
  global: number;
  scoring_version: number;
};

/** The last such audit of each of the two newest days that have one. Null: there is none. */
export type AuditDays = { newest: AuditDay | null; day_before: AuditDay | null };

export const noAudits: AuditDays = { newest: null, day_before: null };

/** With one more audit, in whatever order they come. Null: it changes nothing. */
export function addAudit({ newest, day_before: before }: AuditDays, audit: AuditDay): AuditDays | null {
  const days = new Map<string, AuditDay>();
  for (const one of [newest, before, audit]) {
    if (one === null) continue;
    const known = days.get(one.day);
    if (known === undefined || known.at < one.at) days.set(one.day, one);
  }
  const [last = null, earlier = null] = [...days.values()].sort((one, other) =>
    one.day < other.day ? 1 : -1,
  );
  return last === newest && earlier === before ? null : { newest: last, day_before: earlier };
}

/**
 * What the scores of an audit are compared with: the last audit of an earlier day. Null: there is none, or these scores are not those of
 * the newest audit. Scores of two scoring versions are not compared, which `is_other_version` says.
 */
export function findEarlierAudit(
  shown: { computed_at: Date },
  { newest, day_before: before }: AuditDays,
): { day: string; global: number; is_other_version: boolean } | null {
  if (newest === null || before === null) return null;
  if (newest.at.getTime() !== shown.computed_at.getTime()) return null;
  const { day, global } = before;
  return { day, global, is_other_version: before.scoring_version !== newest.scoring_version };
}
