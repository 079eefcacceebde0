import { digestEvery, maxTimeZoneLength } from '@shelfwise/facts/alerts/digests';
import type { AlertDigest } from '@shelfwise/proto/notify/v1/notify';
import { z } from 'zod';
import { toTimestamp } from '../answers/from-proto.ts';
import { wholeNumber } from '../route/fields.ts';
import * as shapes from './shapes.ts';

/** The largest id, as of tools. */
const largestId = 999_999_999_999_999;

export const digestChannel = wholeNumber(largestId)
  .min(1)
  .meta({ description: 'Id of the channel that it is sent to.', examples: [1] });

export const digestEverySchema = z
  .enum(digestEvery)
  .meta({ description: 'day: every day. week: on Mondays.', examples: ['day'] });

export const digestHour = wholeNumber(23)
  .min(0)
  .meta({
    description:
      'Full hour in the time zone, 0 to 23. When clocks skip it, the digest is sent when they go on; when it comes twice, the first time.',
    examples: [7],
  });

export const digestTimeZone = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_+/-]*$/, 'must be the name of a time zone, such as Europe/Berlin')
  .max(maxTimeZoneLength)
  .meta({ description: 'Name of a time zone of the IANA database.', examples: ['Europe/Berlin'] });

export const digestAppId = wholeNumber(largestId)
  .min(1)
  .nullable()
  .meta({
    description: 'Id of the application in Shelfwise; null: all that the account tracks, and their stores.',
    examples: [42],
  });

export const alertDigest = z.object({
  id: shapes.rowId('Id of the digest.', 1),
  channel: digestChannel,
  every: digestEverySchema,
  hour: digestHour,
  time_zone: digestTimeZone,
  app_id: digestAppId,
  next_at: shapes.timestamp.meta({ description: 'When the next one is due.' }),
  last_due_at: shapes.timestamp
    .nullable()
    .meta({ description: 'When the last one was due, also if nothing had happened; null: none was yet.' }),
  created_at: shapes.timestamp.meta({ description: 'When it was created.' }),
});

/** @throws when the reply has no digest, or none that is complete */
export function toAlertDigest(digest: AlertDigest | null): z.output<typeof alertDigest> {
  if (digest === null) throw new Error('the reply of notify has no digest');
  return {
    id: digest.id,
    channel: digest.channel_id,
    every: digestEverySchema.parse(digest.every.toLowerCase()),
    hour: digest.hour,
    time_zone: digest.time_zone,
    app_id: digest.app_id ?? null,
    next_at: toTimestamp(digest.next_at),
    last_due_at: digest.last_due_at && toTimestamp(digest.last_due_at),
    created_at: toTimestamp(digest.created_at),
  };
}
