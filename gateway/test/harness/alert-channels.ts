import type { AlertChannel, AlertDelivery } from '@shelfwise/proto/notify/v1/notify';

const at = new Date('2026-06-15T10:00:00Z');

/** A channel as notify replies with it. */
export const channelReply: AlertChannel = {
  id: 3,
  type: 'WEBHOOK',
  name: 'Team',
  host: 'hooks.example.com',
  url_end: 'wise',
  timing: 'HOURLY',
  off_reason: null,
  off_at: null,
  last_success_at: at,
  failing_since: null,
  old_secret_until: null,
  created_at: at,
  is_confirmed: true,
};

/** The same as the API shows it. */
export const shownChannel = {
  id: 3,
  type: 'webhook',
  name: 'Team',
  host: 'hooks.example.com',
  url_end: 'wise',
  timing: 'hourly',
  is_enabled: true,
  is_confirmed: true,
  off_reason: null,
  off_at: null,
  last_success_at: '2026-06-15T10:00:00.000Z',
  failing_since: null,
  old_secret_until: null,
  created_at: '2026-06-15T10:00:00.000Z',
};

/** A delivery as notify replies with it. */
export const deliveryReply: AlertDelivery = {
  id: 8,
  channel_id: 3,
  webhook_id: 'msg_1',
  state: 'WAITING',
  is_test: false,
  digest_id: null,
  app_id: 42,
  alert_ids: [12, 13],
  tries: 1,
  created_at: at,
  last_tried_at: at,
  next_try_at: at,
  status: 500,
  duration_ms: 120,
  failure: 'The receiver answered with the status 500.',
  answer: 'oops',
};

/** The same as the API shows it. */
export const shownDelivery = {
  id: 8,
  channel_id: 3,
  webhook_id: 'msg_1',
  state: 'waiting',
  is_test: false,
  digest_id: null,
  app_id: 42,
  alert_ids: [12, 13],
  tries: 1,
  created_at: '2026-06-15T10:00:00.000Z',
  last_tried_at: '2026-06-15T10:00:00.000Z',
  next_try_at: '2026-06-15T10:00:00.000Z',
  status: 500,
  duration_ms: 120,
  failure: 'The receiver answered with the status 500.',
  answer: 'oops',
};
