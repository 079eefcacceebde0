import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AlertKind, alertKinds } from '@shelfwise/facts/alerts/alert-kinds';
import type { AlertKind as AlertKindMessage } from '@shelfwise/proto/notify/v1/notify';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { signWebhook } from '../src/delivery/sign-webhook.ts';
import { createFakeReceivers } from './fake-receivers.ts';
import { listingOf, type Notify, publisher, untilIdle } from './start-notify.ts';
import { useChannels } from './use-channels.ts';

/** A webhook as its receiver gets it. The body that is signed is `JSON.stringify(body)`. */
type RecordedDelivery = { headers: Record<string, string>; body: unknown };
/** By the kind of its alert, and `digest` and `test`. */
export type RecordedDeliveries = { secret: string; deliveries: Record<string, RecordedDelivery> };

/** Written by `npm run record-examples`. */
export const deliveriesFile = join(import.meta.dirname, '../examples/deliveries.json');
export const readDeliveries = (): RecordedDeliveries => JSON.parse(readFileSync(deliveriesFile, 'utf8'));

/** Of the examples: a real one is another for each channel. */
const secret = `whsec_${Buffer.alloc(32, 'example secret ').toString('base64')}`;
const host = 'hooks.example.com';

/** What `recordDeliveries` needs to be given to the service. */
export function createRecording() {
  return { clock: createManualClock('2026-03-01T09:00:00Z'), receivers: createFakeReceivers() };
}

/** Plays a change of each kind to a new service, with one rule at a time, and records what its channel gets. */
export async function recordDeliveries(
  { client, bus }: Pick<Notify, 'client' | 'bus'>,
  { clock, receivers }: ReturnType<typeof createRecording>,
): Promise<RecordedDeliveries> {
  const system = { client, bus } as Notify;
  const publish = publisher(system);
  const listing = (id: number, day: string, revision: number, change: object = {}) =>
    listingOf(id, {
      day,
      revision,
      title: id === 1 ? 'Day Planner' : 'Week Planner',
      genre_key: '6007',
      price: 0,
      score: 4.6,
      ...change,
    });
  const ranks = (own: number, rival = 30) => ({ 'app-1': own, 'app-2': rival });
  const changes: Record<AlertKind, () => Promise<unknown>> = {
    rank_drop: () => pages(2, ranks(11), ranks(19)),
    rank_rise: () => pages(4, ranks(19), ranks(11)),
    entered_top: () => pages(6, ranks(11), ranks(9)),
    left_top: () => pages(8, ranks(9), ranks(12)),
    overtaken: () => pages(10, ranks(12, 14), ranks(13, 11)),
    listing_changed: async () => {
      await moveTo(13);
      await publish.changeListing(['title'], listing(2, '2026-03-13', 2, { title: 'Week Planner Pro' }));
    },
    rating_drop: async () => {
      await moveTo(14);
      await publish.changeListing(['score'], listing(1, '2026-03-14', 2, { score: 4.4 }));
    },
    audit_drop: async () => {
      await publish.audit(14, 80);
      await moveTo(15);
      await publish.audit(15, 74);
    },
    chart_entered: async () => {
      await publish.takeChart(16, {});
      await moveTo(17);
      await publish.takeChart(17, { 'app-1': 34 });
    },
    chart_left: async () => {
      await moveTo(18);
      await publish.takeChart(18, {});
    },
    store_blocked: async () => {
      await moveTo(20);
      await publish.changeStore(true, 20, { since: new Date('2026-03-20T08:55:00Z') });
    },
    store_recovered: async () => {
      await moveTo(21);
      await publish.changeStore(false, 21, { since: new Date('2026-03-20T08:55:00Z') });
    },
    keyword_unread: async () => {
      await publish.takePage(22, ranks(12));
      await moveTo(25);
    },
    quota_used: async () => {
      await moveTo(26);
      await client.reportQuotaUse({ account_id: 'ann', percent: 80, percent_before: 75, day: '2026-03-26' });
    },
  };

  async function moveTo(day: number, hour = 9): Promise<void> {
    clock.moveTo(new Date(Date.UTC(2026, 2, day, hour)));
    await untilIdle(clock);
  }

  async function pages(day: number, before: Record<string, number>, after: Record<string, number>) {
    await publish.takePage(day, before);
    await moveTo(day + 1);
    await publish.takePage(day + 1, after);
  }

  await untilIdle(clock);
  await publish.trackApp({ listing: listing(1, '2026-03-01', 1) as never });
  await publish.trackCompetitor({ listing: listing(2, '2026-03-01', 1) as never });
  await publish.trackKeyword();
  const { create } = useChannels(system);
  const channel = await create({ name: 'Team', url: `https://${host}/shelfwise` });
  const deliveries: Record<string, RecordedDelivery> = {};

  /** @throws Error when it is not one delivery, or not signed with the channel's secret */
  async function record(name: string): Promise<void> {
    await untilIdle(clock);
    const [sent, ...more] = receivers.requests.splice(0);
    if (!sent || more.length > 0) throw new Error(`${name}: ${sent ? more.length + 1 : 'no'} deliveries`);
    const { body, headers } = sent;
    const id = headers['webhook-id'] ?? '';
    const real = signWebhook({ id, at: clock.at, body }, [channel.secret]);
    if (headers['webhook-signature'] !== real['webhook-signature'])
      throw new Error(`${name}: another signature`);
    const number = String(Object.keys(deliveries).length + 1).padStart(12, '0');
    const signed = signWebhook({ id: `msg_00000000-0000-4000-8000-${number}`, at: clock.at, body }, [secret]);
    deliveries[name] = { headers: Object.assign({}, headers, signed), body: JSON.parse(body) };
  }

  async function onlyRule(kind: AlertKind, channelIds: number[]): Promise<void> {
    const { rules } = await client.listAlertRules({ account_id: 'ann', page: 1, per_page: 200 });
    for (const { id } of rules) await client.deleteAlertRule({ account_id: 'ann', id });
    await client.createAlertRule({
      account_id: 'ann',
      kind: kind.toUpperCase() as AlertKindMessage,
      keywords: null,
      is_enabled: true,
      channel_ids: channelIds,
    });
  }

  for (const kind of alertKinds) {
    await onlyRule(kind, [channel.id]);
    await changes[kind]();
    await record(kind);
  }
  await onlyRule('rank_drop', []);
  const daily = { every: 'DAY', hour: 7, time_zone: 'UTC' } as const;
  await client.createAlertDigest({ account_id: 'ann', channel_id: channel.id, ...daily });
  await pages(27, ranks(11), ranks(19));
  await moveTo(29, 7);
  await record('digest');
  await client.testAlertChannel({ account_id: 'ann', id: channel.id });
  await record('test');
  return { secret, deliveries };
}
