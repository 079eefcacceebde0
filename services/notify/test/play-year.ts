import type { alertKinds } from '@shelfwise/facts/alerts/alert-kinds';
import type { Alert, AlertKind } from '@shelfwise/proto/notify/v1/notify';
import type { Topic, TopicMessages } from '@shelfwise/proto/topics';
import type { ManualClock } from '../../../testing/manual-clock.ts';
import { answerStatus, type FakeReceivers, ok } from './fake-receivers.ts';
import { listingOf, type Notify, untilIdle, us } from './start-notify.ts';
import {
  chartPlaces,
  isAuditComplete,
  isAway,
  isPageRead,
  isRatingRead,
  isUncomparedRead,
  keywordIds,
  ownId,
  rivalId,
  type ShownListing,
  store,
  type YearDay,
  type YearFault,
} from './year-of-faults.ts';

const hourMs = 3_600_000;
const host = 'hooks.example.com';
const accountId = 'ann';
/** What fills a page. */
const otherIds = Array.from({ length: 100 }, (_, index) => `other-${index}`);
/** What the service's clock is off by while a day is read. */
const shifts: Partial<Record<YearFault, number>> = { 'clock back': -3 * hourMs, 'clock ahead': 3 * hourMs };
/** The kinds that the year has changes for. */
export const playedKinds = [
  'rank_drop',
  'rank_rise',
  'entered_top',
  'left_top',
  'overtaken',
  'listing_changed',
  'rating_drop',
  'audit_drop',
  'chart_entered',
  'chart_left',
  'store_blocked',
  'store_recovered',
  'keyword_unread',
] as const satisfies readonly (typeof alertKinds)[number][];

/** Two copies of the service on one database. */
export type Copies = readonly [Copy, Copy];
type Copy = Pick<Notify, 'client' | 'bus'>;

/**
 * Publishes what the other services would publish over a year of days, with what happens to their readings, and returns what the
 * feed of the account then has, as `trueAlerts` writes it. The account has a rule of each kind with its usual threshold; what
 * drops is sent to a channel.
 */
export async function playYear(
  year: readonly YearDay[],
  { copies, clock, receivers }: { copies: Copies; clock: ManualClock; receivers: FakeReceivers },
): Promise<string[]> {
  const [{ client }] = copies;
  const [first] = year;
  if (!first) throw new Error('a year has days');
  let turn = 0;
  /** The readings that tracking has stored: an event says what differs from them. */
  const stored = { own: first.own, rival: first.rival, rating: first.rating };
  const revisions = { own: 1, rival: 1 };

  async function deliver<T extends Topic>(
    { fault }: Pick<YearDay, 'fault'>,
    topic: T,
    key: string,
    message: TopicMessages[T],
  ): Promise<void> {
    turn++;
    const [one, other] =
      turn % 2 === 0 ? ([copies[0], copies[1]] as const) : ([copies[1], copies[0]] as const);
    if (fault === 'two copies')
      await Promise.all(copies.map(({ bus }) => bus.deliver(topic, key, message, { id: `event ${turn}` })));
    else await one.bus.deliver(topic, key, message);
    if (fault === 'twice') await other.bus.deliver(topic, key, message);
  }

  const momentOf = ({ date }: YearDay, hour: number) => new Date(Date.parse(date) + hour * hourMs);
  const moveTo = async (moment: Date) => {
    clock.moveTo(moment);
    await untilIdle(clock, copies.length);
  };

  async function deliverPages(day: YearDay): Promise<void> {
    for (const [keyword, id] of keywordIds.entries()) {
      const page = (appIds: string[], revision: number) =>
        deliver(day, 'tracking.snapshot-taken.v1', String(id), {
          keyword_id: id,
          keyword: `keyword ${id}`,
          storefront: us,
          day: day.date,
          taken_at: momentOf(day, 6),
          source: 'sample',
          app_ids: appIds,
          is_suspect: day.fault === 'suspect' && keyword === 0,
          revision,
        });
      const isDisproved = day.fault === 'disproved';
      if (isUncomparedRead(day, keyword)) await page(day.fault === 'suspect' ? otherIds : [], 1);
      if (isDisproved) await page([], 1);
      if (isPageRead(day, keyword)) await page(resultsOf(day, keyword), isDisproved ? 2 : 1);
    }
  }

  async function deliverChart(day: YearDay): Promise<void> {
    const appIds = [...otherIds];
    if (day.chartRank !== null) appIds[day.chartRank - 1] = `app-${ownId}`;
    await deliver(day, 'chart.chart-taken.v1', 'ITUNES:US:6007:free', {
      store,
      country: us.country,
      category: '6007',
      collection: 'FREE',
      day: day.date,
      read_at: momentOf(day, 6),
      source: 'sample',
      app_ids: appIds.slice(0, chartPlaces(day)),
    });
  }

  /** What is read once a day whatever changed. */
  async function deliverReadings(day: YearDay): Promise<void> {
    await deliverPages(day);
    await deliverChart(day);
  }

  async function deliverListing(day: YearDay, which: 'own' | 'rival'): Promise<void> {
    const [before, shown] = [stored[which], day[which]];
    const fields = Object.keys(shown) as (keyof ShownListing)[];
    const changed: string[] = fields.filter((field) => before[field] !== shown[field]);
    if (which === 'own' && isRatingRead(day) && day.rating !== stored.rating) changed.push('score');
    if (changed.length === 0) return;
    revisions[which]++;
    stored[which] = shown;
    if (isRatingRead(day) && which === 'own') stored.rating = day.rating;
    const listing = toListing(day, which, revisions[which]);
    await deliver(day, 'tracking.listing-changed.v1', String(listing.id), {
      changed,
      listing: listing as never,
    });
  }

  async function deliverAudit(day: YearDay): Promise<void> {
    await deliver(day, 'scoring.listing-audited.v1', String(ownId), {
      id: ownId,
      // An audit that waits for words or leaves some out says something else.
      global: isAuditComplete(day) ? day.health : 1,
      coverage: day.health,
      targeting: day.health,
      appeal: day.health,
      tier: 2,
      scoring_version: day.scoringVersion,
      computed_at: momentOf(day, 6),
      pending_at: day.isAuditPending ? momentOf(day, 6) : null,
      is_partial: day.fault === 'partial',
    });
  }

  async function deliverStore(day: YearDay, isBlocked: boolean, since: YearDay): Promise<void> {
    await deliver(day, 'store.state-changed.v1', store, {
      store,
      is_blocked: isBlocked,
      at: momentOf(day, 5),
      since: momentOf(since, 5),
    });
  }

  async function begin(day: YearDay): Promise<number> {
    await moveTo(momentOf(day, 0));
    const at = momentOf(day, 0);
    await deliver(day, 'tracking.application-tracked.v1', String(ownId), {
      account_id: accountId,
      at,
      listing: toListing(day, 'own', 1) as never,
    });
    await deliver(day, 'tracking.competitor-tracked.v1', String(ownId), {
      account_id: accountId,
      app_id: ownId,
      at,
      listing: toListing(day, 'rival', 1) as never,
    });
    for (const id of keywordIds)
      await deliver(day, 'tracking.keyword-tracked.v1', String(id), {
        account_id: accountId,
        keyword_id: id,
        keyword: `keyword ${id}`,
        storefront: us,
        app_id: ownId,
        at,
        scored_at: null,
      });
    const { rules } = await client.listAlertRules({ account_id: accountId, page: 1, per_page: 200 });
    for (const { id } of rules) await client.deleteAlertRule({ account_id: accountId, id });
    const { channel } = await client.createAlertChannel({
      account_id: accountId,
      type: 'WEBHOOK',
      name: 'My receiver',
      url: `https://${host}/x`,
      timing: 'INSTANT',
    });
    if (!channel) throw new Error('no channel');
    for (const kind of playedKinds)
      await client.createAlertRule({
        account_id: accountId,
        kind: kind.toUpperCase() as AlertKind,
        keywords: null,
        is_enabled: true,
        channel_ids: kind === 'rank_drop' ? [channel.id] : [],
      });
    return channel.id;
  }

  const channelId = await begin(first);
  let blockedSince: YearDay | null = null;
  for (const [index, day] of year.entries()) {
    const before = year[index - 1];
    await moveTo(momentOf(day, 0.5));
    receivers.answers.set(host, day.isGone ? answerStatus(410) : ok);
    if (before?.isGone)
      await client.updateAlertChannel({
        account_id: accountId,
        id: channelId,
        is_enabled: true,
        rotates_secret: false,
      });
    if (before?.fault === 'slow') await deliverReadings(before);
    // The look for unread keywords is at one o'clock.
    await moveTo(momentOf(day, 2));
    await moveTo(momentOf(day, 6));
    const shiftMs = shifts[day.fault] ?? 0;
    clock.setBy(shiftMs);
    if (isAway(day)) {
      if (!blockedSince) await deliverStore(day, true, day);
      blockedSince ??= day;
    } else {
      if (blockedSince) await deliverStore(day, false, blockedSince);
      blockedSince = null;
      if (day.fault !== 'slow' && day.fault !== 'late') await deliverReadings(day);
      for (const which of ['own', 'rival'] as const) await deliverListing(day, which);
      await deliverAudit(day);
    }
    if (before?.fault === 'late') await deliverReadings(before);
    clock.setBy(-shiftMs);
    await untilIdle(clock, copies.length);
  }
  return readFeed(client);
}

/** A page of 100 results with the two apps at their ranks. */
function resultsOf({ ranks }: YearDay, keyword: number): string[] {
  const appIds = [...otherIds];
  const { own = null, rival = null } = ranks[keyword] ?? {};
  if (own !== null) appIds[own - 1] = `app-${ownId}`;
  if (rival !== null) appIds[rival - 1] = `app-${rivalId}`;
  return appIds;
}

function toListing(day: YearDay, which: 'own' | 'rival', revision: number) {
  const score = which === 'own' && isRatingRead(day) ? { score: day.rating / 100 } : {};
  return listingOf(which === 'own' ? ownId : rivalId, {
    day: day.date,
    revision,
    ...day[which],
    ...score,
    // Of the chart that is read.
    genre_key: '6007',
    price: 0,
  });
}

async function readFeed(client: Copy['client']): Promise<string[]> {
  const feed: string[] = [];
  for (let since = 0; ; ) {
    const { alerts } = await client.listAlerts({ account_id: accountId, since, page: 1, per_page: 200 });
    feed.push(...alerts.map(toText));
    const last = alerts.at(-1);
    if (!last) return feed.sort();
    since = last.id;
  }
}

function toText({ kind, app, keyword_id: keywordId, evidence }: Alert): string {
  const channel = evidence?.channel_id == null ? null : 'channel';
  const subject = keywordId ?? channel ?? evidence?.store ?? evidence?.other_app?.id ?? app?.id;
  return `${kind.toLowerCase()} ${subject} ${evidence?.day_after}`;
}
