import type { AlertDigest } from '@shelfwise/proto/notify/v1/notify';

/** A digest as notify replies with it. */
export const digestReply: AlertDigest = {
  id: 2,
  channel_id: 3,
  every: 'WEEK',
  hour: 7,
  time_zone: 'Europe/Berlin',
  app_id: null,
  next_at: new Date('2026-06-22T05:00:00Z'),
  last_due_at: null,
  created_at: new Date('2026-06-15T10:00:00Z'),
};

/** The same as the API shows it. */
export const shownDigest = {
  id: 2,
  channel: 3,
  every: 'week',
  hour: 7,
  time_zone: 'Europe/Berlin',
  app_id: null,
  next_at: '2026-06-22T05:00:00.000Z',
  last_due_at: null,
  created_at: '2026-06-15T10:00:00.000Z',
};
