import type { TrackedListing } from '@shelfwise/proto/tracking/v1/tracked_listing';
import { z } from 'zod';
import * as shapes from '../shapes/shapes.ts';

/** Listings are read once a day: the last daily reading of an older one has failed. */
const freshListingMs = 36 * 60 * 60 * 1000;

/** How many words an audit waits for; the rule of scoring, for the document. */
export const enoughWords = '80 % of the words of name and subtitle (or short description)';

const staleSince = shapes.timestamp
  .optional()
  .meta({ description: 'With stale_store_data: when the oldest of those readings was taken.' });
const staleSentence =
  'stale_store_data: the store could not be read, so the answer uses an older reading, from stale_since.';

/** Meta fields of an answer with listings. */
export const staleFields = {
  warnings: z
    .array(z.literal('stale_store_data'))
    .max(1)
    .optional()
    .meta({ description: `Absent when there are none. ${staleSentence}`, examples: [['stale_store_data']] }),
  stale_since: staleSince,
};

const pendingSentence = `audit_pending: scores are null, or those of an earlier listing, until ${enoughWords} have been read.`;

/** Meta fields of an answer with scores of a draft. */
export const draftFields = {
  warnings: z
    .array(z.enum(['stale_store_data', 'audit_pending']))
    .max(2)
    .optional()
    .meta({
      description: `Absent when there are none. ${staleSentence} ${pendingSentence}`,
      examples: [['audit_pending']],
    }),
  stale_since: staleSince.meta({
    description:
      'With stale_store_data: when the oldest of those readings was taken, to the day (UTC) if it is that of a word.',
  }),
};

/** Meta fields of an answer with scores of listings. */
export const auditFields = {
  warnings: z
    .array(z.enum(['stale_store_data', 'audit_pending', 'audit_partial']))
    .max(3)
    .optional()
    .meta({
      description: `Absent when there are none. ${staleSentence} ${pendingSentence} audit_partial: the scores can still change. They leave out words whose suggestions the store has not shown yet, or a full description or keywords field until 80 % of its words have been read.`,
      examples: [['audit_pending']],
    }),
  stale_since: staleSince,
};

/** The meta of an answer that has no other meta; absent when there is nothing to warn of. */
export const auditMeta = z.object(auditFields).optional();
/** As `auditMeta`, of a draft. */
export const draftMeta = z.object(draftFields).optional();

/** The time of a stale reading; null when it is fresh. */
export function findStaleSince(listing: Pick<TrackedListing, 'read_at'>, now: Date): Date | null {
  const readAt = listing.read_at;
  return readAt !== null && now.getTime() - readAt.getTime() > freshListingMs ? readAt : null;
}

/** Takes the times of stale readings (null: fresh); the oldest counts. */
export function toStaleFields(moments: readonly (Date | null)[]) {
  const times = moments.flatMap((at) => (at === null ? [] : [at.getTime()]));
  if (times.length === 0) return {};
  const oldest = times.reduce((earliest, time) => Math.min(earliest, time));
  return {
    warnings: ['stale_store_data' as const],
    stale_since: new Date(oldest).toISOString(),
  };
}

/** As `toStaleFields`, with `audit_pending` when scores are missing or of an earlier listing. */
function toDraftFields(moments: readonly (Date | null)[], isPending: boolean) {
  const stale = toStaleFields(moments);
  if (!isPending) return stale;
  return { ...stale, warnings: [...(stale.warnings ?? []), 'audit_pending' as const] };
}

/** As `toDraftFields`; undefined when there is nothing to warn of. */
export function toDraftMeta(...warnings: Parameters<typeof toDraftFields>): z.output<typeof draftMeta> {
  const fields = toDraftFields(...warnings);
  return fields.warnings ? fields : undefined;
}

/** As `toDraftFields`, with `audit_partial` when the scores leave out terms whose traffic is partial, or a field. */
export function toAuditFields(
  moments: readonly (Date | null)[],
  { isPending, isPartial }: { isPending: boolean; isPartial: boolean },
) {
  const fields = toDraftFields(moments, isPending);
  if (!isPartial) return fields;
  return { ...fields, warnings: [...(fields.warnings ?? []), 'audit_partial' as const] };
}

/** As `toAuditFields`; undefined when there is nothing to warn of. */
export function toAuditMeta(...warnings: Parameters<typeof toAuditFields>): z.output<typeof auditMeta> {
  const fields = toAuditFields(...warnings);
  return fields.warnings ? fields : undefined;
}
