import { asksForWords, withAdvice } from '../domain/audit/advice/flags/raise-flags.ts';
import type { AsoReport } from '../domain/audit/aso-report.ts';
import { withoutKeptField } from '../domain/audit/without-kept-field.ts';
import type { ListingReading } from '../domain/listing-reading.ts';
import { type StoredAudit, shownReportOf } from '../stores/audit-store.ts';
import type { KeywordsFieldStore } from '../stores/keywords-field-store.ts';
import { type AuditWithFieldDeps, auditWithKeywordsField } from './audit-with-keywords-field.ts';
import {
  findTrackedOfAccount,
  noTracked,
  type TrackedOfAccount,
  type TrackedOfAccountDeps,
} from './tracked-terms-of-account.ts';

export type AuditOfAccountDeps = AuditWithFieldDeps &
  TrackedOfAccountDeps & {
    keywordsFields: Pick<KeywordsFieldStore, 'find'>;
  };

/** What an account sees of an audit. */
type SeenAudit = {
  /** null: too few words are read, and no report of an earlier listing is stored */
  shown: AsoReport | null;
  /** too few words of the present listing are read: `shown` is null or of an earlier listing */
  is_pending: boolean;
  /** the audit of the present listing that is not shown yet; null: it is */
  unshown: Pick<StoredAudit, 'report' | 'readiness'> | null;
  /** the overall score of the stored audit, while `shown` includes a kept field; else null */
  global_without_field: number | null;
};

/**
 * The audit of a listing as an account sees it: the stored one, or one that is computed with the account's keywords field. The
 * words to add include the terms that the account tracks, if `withTracked`. While that may not be shown, the account sees the
 * report that all accounts see, if there is one.
 * @param account `id` null: none
 */
export async function auditOfAccount(
  { keywordsFields, ...deps }: AuditOfAccountDeps,
  stored: StoredAudit,
  listing: ListingReading,
  account: { id: string | null; withTracked: boolean },
): Promise<SeenAudit> {
  const shared = shownReportOf(stored);
  const key = account.id === null ? null : { account_id: account.id, listing_id: stored.listing_id };
  const isPending = !stored.readiness.is_shown;
  const none = { is_pending: isPending, unshown: isPending ? stored : null, global_without_field: null };
  if (key === null) return { shown: shared, ...none };
  const [kept, tracked] = await Promise.all([
    keywordsFields.find(key),
    account.withTracked ? findTrackedOfAccount(deps, key, listing.storefront.lang) : noTracked,
  ]);
  if (!kept) {
    const shown = await withTrackedTerms(deps, stored, listing, tracked);
    return { shown, ...none };
  }
  const audit = await auditWithKeywordsField(deps, stored, listing, kept.kw_field, tracked);
  if (audit.readiness.is_shown)
    return {
      shown: audit.report,
      is_pending: false,
      unshown: null,
      global_without_field: shared?.global ?? null,
    };
  return {
    shown: shared && withoutKeptField(shared),
    is_pending: true,
    unshown: audit,
    global_without_field: null,
  };
}

/** The shown report, with the terms that an account tracks among the words to add; an earlier report stays as it is. */
async function withTrackedTerms(
  deps: AuditWithFieldDeps,
  stored: StoredAudit,
  listing: ListingReading,
  tracked: TrackedOfAccount,
): Promise<AsoReport | null> {
  const shown = shownReportOf(stored);
  if (!stored.readiness.is_shown || tracked.keywords.length === 0 || !asksForWords(stored.report.flags))
    return shown;
  const { advice } = await auditWithKeywordsField(deps, stored, listing, null, tracked);
  return advice ? { ...stored.report, flags: withAdvice(stored.report.flags, advice.terms) } : shown;
}
