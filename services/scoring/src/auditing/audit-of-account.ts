import type { AsoReport } from '../domain/audit/aso-report.ts';
import { withoutKeptField } from '../domain/audit/without-kept-field.ts';
import { type StoredAudit, shownReportOf } from '../stores/audit-store.ts';
import type { KeywordsFieldStore } from '../stores/keywords-field-store.ts';
import { type AuditWithFieldDeps, auditWithKeywordsField } from './audit-with-keywords-field.ts';

export type AuditOfAccountDeps = AuditWithFieldDeps & {
  keywordsFields: Pick<KeywordsFieldStore, 'find'>;
};

/** What an account sees of an audit. */
type SeenAudit = {
  /** null: too few words are read, and no report of an earlier listing is stored */
  shown: AsoReport | null;
  /** too few words of the present listing are read: `shown` is null or of an earlier listing */
  is_pending: boolean;
  /** the overall score of the stored audit, while `shown` includes a kept field; else null */
  global_without_field: number | null;
};

/**
 * The audit of a listing as an account sees it: the stored one, or for an account that keeps the keywords field one that is
 * computed with this field. While that may not be shown, the account sees the report that all accounts see, if there is one.
 * @param accountId null: no account
 */
export async function auditOfAccount(
  { keywordsFields, ...deps }: AuditOfAccountDeps,
  stored: StoredAudit,
  accountId: string | null,
): Promise<SeenAudit> {
  const shared = shownReportOf(stored);
  const key = accountId === null ? null : { account_id: accountId, listing_id: stored.listing_id };
  const kept = key && (await keywordsFields.find(key));
  const none = { global_without_field: null };
  if (!kept) return { shown: shared, is_pending: !stored.readiness?.is_shown, ...none };
  const { report, readiness } = await auditWithKeywordsField(deps, stored, kept.kw_field);
  if (readiness.is_shown)
    return { shown: report, is_pending: false, global_without_field: shared?.global ?? null };
  return { shown: shared && withoutKeptField(shared), is_pending: true, ...none };
}
