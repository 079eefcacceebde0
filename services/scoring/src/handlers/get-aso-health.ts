import type { AsoReport } from '@shelfwise/proto/scoring/v1/aso_report';
import type { GetAsoHealthReply, GetAsoHealthRequest } from '@shelfwise/proto/scoring/v1/scoring';
import { invalidParams } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc-types';
import type { AuditingParts } from '../auditing/auditing-parts.ts';

/** The stored audit of a listing, with the timeline of its past releases; words only when they are asked for. */
export async function getAsoHealth(
  { auditor, releases }: Pick<AuditingParts, 'auditor' | 'releases'>,
  { app, include_words: includeWords }: GetAsoHealthRequest,
  { requestId }: Pick<CallContext, 'requestId'>,
): Promise<GetAsoHealthReply> {
  if (!app) throw invalidParams({ app: 'must be a listing that tracking knows' });
  const { listing_id: listingId, report, release } = await auditor.ensure(app, requestId);
  const past = await releases.listBefore(listingId, release);
  return {
    report: includeWords ? report : withoutWords(report),
    timeline: past.map(({ date, version, global }) => ({ date, version, global })),
  };
}

function withoutWords(report: AsoReport): AsoReport {
  return { ...report, fields: report.fields.map((field) => ({ ...field, words: [] })) };
}
