import type { GetAsoHealthReply, GetAsoHealthRequest } from '@shelfwise/proto/scoring/v1/scoring';
import { invalidParams } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { Auditor } from '../auditing/auditor.ts';
import { toAsoReportMessage } from '../auditing/to-aso-report-message.ts';
import { withoutWords } from '../domain/audit/aso-report.ts';
import type { ReleaseStore } from '../stores/release-store.ts';

type Deps = { auditor: Pick<Auditor, 'ensure'>; releases: Pick<ReleaseStore, 'listBefore'> };

/** The stored audit of a listing, with the timeline of its past releases. Words are included only on request. */
export async function getAsoHealth(
  { auditor, releases }: Deps,
  { app, ...request }: GetAsoHealthRequest,
  { requestId }: Pick<CallContext, 'requestId'>,
): Promise<GetAsoHealthReply> {
  if (!app) throw invalidParams({ app: 'must be a listing that tracking knows' });
  const audit = await auditor.ensure(app, requestId);
  const past = await releases.listBefore(audit.listing_id, audit.release);
  const { report } = audit;
  return {
    report: toAsoReportMessage(request.include_words ? report : withoutWords(report)),
    timeline: past.map(({ date, version, global }) => ({ date, version, global })),
  };
}
