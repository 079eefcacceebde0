import { numberOf } from '../../figure.ts';
import type { RuleRow } from './model.ts';

/** Rules of these kinds remember what they have found: one that is made again may find it again. */
const rememberingKinds: readonly string[] = ['keyword_unread', 'quota_used'];

export function canBeMadeAgain({ kind }: Pick<RuleRow, 'kind'>): boolean {
  return !rememberingKinds.includes(kind);
}

/** The body of the call that makes a rule again, exactly as it is shown. */
export function toRuleBody(row: RuleRow) {
  return {
    kind: row.kind,
    app_id: row.app === null ? null : Number(row.app.id),
    threshold: numberOf(row.threshold),
    // Left out for a kind that is about none.
    keywords: row.which === 'some' ? row.keywordIds.map(Number) : (row.which ?? undefined),
    channels: row.channels.map(Number),
    is_enabled: row.isEnabled,
  };
}
