import { type Alert, type AlertApp, noEvidence } from './alert.ts';
import { isAuditDrop, type KeptAudit } from './audit-change.ts';
import { isAboutApp, type Rule } from './rule.ts';

/** What the rules of an account find in a newer audit of one of its applications. `rules` may be about anything. */
export function findAuditAlerts(
  audit: KeptAudit,
  { account_id, app }: { account_id: string; app: AlertApp },
  rules: readonly Rule[],
): Alert[] {
  const { newest, day_before: before } = audit;
  if (before === null) return [];
  return rules
    .filter((rule) => rule.kind === 'audit_drop' && isAboutApp(rule, app.id))
    .filter((rule) => isAuditDrop(audit, rule.threshold ?? 0))
    .map((rule) => ({
      account_id,
      rule_id: rule.id,
      kind: rule.kind,
      threshold: rule.threshold,
      ...noEvidence,
      app,
      before: before.global,
      after: newest.global,
      day_before: before.day,
      day_after: newest.day,
    }));
}
