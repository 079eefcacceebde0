import type { GetAsoHealthReply, GetAsoHealthRequest } from '@shelfwise/proto/scoring/v1/scoring';
import { checkAccountId } from '@shelfwise/runtime/check-request';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import { type AuditOfAccountDeps, auditOfAccount } from '../audits/audit-of-account.ts';
import type { Auditor } from '../audits/auditor.ts';
import { findPendingAudit, type PendingAuditDeps } from '../audits/find-pending-audit.ts';
import { toAsoReportMessage } from '../audits/to-aso-report-message.ts';
import { withoutWords } from '../domain/audit/aso-report.ts';
import { hasPartialScores } from '../domain/audit/has-partial-scores.ts';
import { readTrackedListing } from '../domain/listing-reading.ts';
import type { ReleaseStore } from '../stores/release-store.ts';

type Deps = AuditOfAccountDeps &
  PendingAuditDeps & {
    auditor: Pick<Auditor, 'followAndAudit'>;
    releases: Pick<ReleaseStore, 'listBefore'>;
  };

/**
 * The newest audit of a listing that may be shown, and the scores of its earlier releases. A missing or outdated audit is
 * computed first, without a store call. Until enough words are read there is no report, or an earlier one, and
 * `pending` has the present fields. For an account that keeps the keywords field of the app, the audit includes it. The fields
 * list their words only with `include_words`.
 * @throws INVALID_PARAMS
 * @throws STORE_FETCH_FAILED when the database holds readings of another kind of store
 */
export async function getAsoHealth(
  { auditor, releases, ...deps }: Deps,
  { app, ...request }: GetAsoHealthRequest,
  { requestId }: Pick<CallContext, 'requestId'>,
): Promise<GetAsoHealthReply> {
  const listing = readTrackedListing(app);
  const accountId = request.account_id == null ? null : checkAccountId(request.account_id);
  const account = { id: accountId, withTracked: request.without_tracked_terms !== true };
  const stored = await auditor.followAndAudit(listing, requestId);
  const [earlier, { shown: report, unshown, ...seen }] = await Promise.all([
    stored.is_timeline_empty ? [] : releases.listBefore(stored.listing_id, stored.release),
    auditOfAccount(deps, stored, listing, account),
  ]);
  return {
    report: report && toAsoReportMessage(request.include_words ? report : withoutWords(report)),
    ...seen,
    pending: unshown && (await findPendingAudit(deps, unshown, listing.storefront, request.include_words)),
    is_partial: report !== null && hasPartialScores(report),
    timeline: earlier.map(({ date, version, global }) => ({ date, version, global })),
  };
}
