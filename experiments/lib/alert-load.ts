import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type MessageCodec, type Topic, type TopicMessages, topics } from '@shelfwise/proto/topics';
import { mapLimited } from '@shelfwise/runtime/concurrency/map-limited';
import { dayMs, utcDay } from '@shelfwise/runtime/day';
import type { EventRecord } from '@shelfwise/runtime/events/event-bus';
import { type Api, createApi } from '../../testing/system/api.ts';
import type { AlertReceivers } from './alert-receivers.ts';
import { type Expected, untilDelivered } from './check-deliveries.ts';

/** Resolves when the events are stored on the bus, however often it takes: repeated ones count once. */
export type Publish = (events: readonly EventRecord[]) => Promise<void>;

const storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;
/** Of this load alone: tracking gives lower ids. */
const firstId = 900_000_000;
/** The app stands at these ranks on alternating days: more than one place, and no surprise that is read twice. */
const ranks = [12, 3] as const;
const pageSize = 20;
/** Pages of past days: for those of today scoring would read the store. */
const mostDays = 380;
/** Before the events that say what accounts track have arrived, nothing is told: another day is published after each of these times. */
const againMs = 10_000;
const lookMs = 1000;
/** A way out for what never comes; far longer than a busy machine needs. */
const warmUpMs = 300_000;

/** Accounts that track the same keywords of one app. */
export type AlertGroup = {
  /** path of its receivers: /<name>/<number> */
  name: string;
  keys: readonly { id: string; key: string }[];
  keywords: number;
  channelsOfAccount: number;
};

export type AlertLoad = Awaited<ReturnType<typeof createAlertLoad>>;

/**
 * Accounts that are told of every change of the ranks of their keywords, at once and each on its own channels, and the events that
 * change them: each day of pages is one alert for each keyword, account and channel. The pages are made here, so that what must arrive
 * is known without asking the system.
 * @param number of the load: its apps and keywords are those of no other load
 */
export async function createAlertLoad(deps: {
  number: number;
  group: AlertGroup;
  url: string;
  publish: Publish;
  receivers: Pick<AlertReceivers, 'url' | 'read' | 'forget'>;
}) {
  const { number, group, url, publish, receivers } = deps;
  const listingId = firstId + 1000 * number;
  const appId = `app-${listingId}`;
  const keywordIds = Array.from({ length: group.keywords }, (_, index) => listingId + 1 + index);
  const startedAt = Date.now() - mostDays * dayMs;
  const dateOf = (day: number) => utcDay(new Date(startedAt + day * dayMs));
  /** By the path of a receiver: what it must get. */
  const expected = new Map<string, Set<string>>();
  let day = 0;

  const accounts = await mapLimited(
    group.keys.map((account, index) => ({ ...account, index })),
    4,
    async ({ id, key, index }) => {
      const api = createApi(url, key);
      const channels: number[] = [];
      for (let channel = 0; channel < group.channelsOfAccount; channel++) {
        const receiver = index * group.channelsOfAccount + channel;
        expected.set(`/${group.name}/${receiver}`, new Set());
        channels.push(await createChannel(api, receivers.url(group.name, receiver)));
      }
      await setRules(api, channels);
      return { id, api, channels };
    },
  );
  await publish(accounts.flatMap(({ id }) => trackedBy(id)));
  await warmUp();

  function trackedBy(accountId: string): EventRecord[] {
    const at = new Date(startedAt - dayMs);
    const listing = { app_id: appId, title: 'Load', screenshots: [], languages: [], unreadable: [] };
    const read = { id: listingId, storefront, revision: 1, read_at: at, source: 'sample', listing };
    return [
      toEvent('tracking.application-tracked.v1', String(listingId), {
        account_id: accountId,
        at,
        listing: read as never,
      }),
      ...keywordIds.map((keywordId) =>
        toEvent('tracking.keyword-tracked.v1', String(keywordId), {
          account_id: accountId,
          keyword_id: keywordId,
          keyword: `load ${keywordId}`,
          storefront,
          app_id: listingId,
          at,
          scored_at: null,
        }),
      ),
    ];
  }

  /** The pages of the next day. */
  function takePages(): EventRecord[] {
    if (day >= mostDays) throw new Error('the load has no more days');
    day++;
    const appIds = Array.from({ length: pageSize }, (_, index) => `other-${index}`);
    appIds[(ranks[day % 2] ?? 1) - 1] = appId;
    return keywordIds.map((keywordId) =>
      toEvent('tracking.snapshot-taken.v1', String(keywordId), {
        keyword_id: keywordId,
        keyword: `load ${keywordId}`,
        storefront,
        day: dateOf(day),
        taken_at: new Date(),
        source: 'sample',
        app_ids: appIds,
        revision: 1,
      }),
    );
  }

  /** What receivers must get of the pages of this day. */
  function expectDay(): void {
    const kind = ranks[day % 2] === 3 ? 'rank_rise' : 'rank_drop';
    for (const subjects of expected.values())
      for (const keywordId of keywordIds) subjects.add(`${kind} ${keywordId} ${dateOf(day)}`);
  }

  function forget(): void {
    for (const subjects of expected.values()) subjects.clear();
    receivers.forget();
  }

  /** Until every account was told of every keyword, and every receiver got that. */
  async function warmUp(): Promise<void> {
    const giveUpAt = Date.now() + warmUpMs;
    await publish(takePages());
    await publish(takePages());
    for (let waitedMs = 0; ; waitedMs += lookMs) {
      if (waitedMs > 0 && waitedMs % againMs === 0) await publish(takePages());
      await sleep(lookMs);
      const told = await mapLimited(accounts, 4, ({ api }) => countTold(api, dateOf(day)));
      if (told.every((count) => count === keywordIds.length)) break;
      if (Date.now() > giveUpAt)
        throw new Error(`accounts were told ${told} of ${keywordIds.length} changes`);
    }
    expectDay();
    // Messages are in order: with this day, all before it have come.
    const { lost } = await untilDelivered(receivers, [expected]);
    if (lost > 0) throw new Error(`receivers did not get ${lost} alerts before the measurement`);
    forget();
  }

  return {
    group,
    /** What every receiver must get of the published days. */
    expected: expected as Expected,
    /** Alerts of a day, over all receivers. */
    alertsOfDay: keywordIds.length * expected.size,
    /** The pages of the next day. */
    async publishDay(): Promise<void> {
      const pages = takePages();
      expectDay();
      await publish(pages);
    },
    /** Nothing that was published or received until now is looked at any more. */
    forget,
    /** Lets every channel try again at once, also one that waits for its next try. */
    async retryNow(): Promise<void> {
      await mapLimited(accounts, 4, async ({ api, channels }) => {
        for (const id of channels) await dataOf(api('PATCH', `/alerts/channels/${id}`, { is_enabled: true }));
      });
    },
  };
}

async function createChannel(api: Api, url: string): Promise<number> {
  const channel = { type: 'webhook', name: 'Load', url, timing: 'instant' };
  return Number((await dataOf(api('POST', '/alerts/channels', channel))).id);
}

/** In place of the rules that a new account has. */
async function setRules(api: Api, channels: readonly number[]): Promise<void> {
  const rules: { id: number }[] = await dataOf(api('GET', '/alerts/rules'));
  for (const { id } of rules) await dataOf(api('DELETE', `/alerts/rules/${id}`));
  for (const kind of ['rank_drop', 'rank_rise'])
    await dataOf(api('POST', '/alerts/rules', { kind, threshold: 1, channels }));
}

async function countTold(api: Api, day: string): Promise<number> {
  const rows: { evidence: { days: { after: string } } }[] = await dataOf(api('GET', '/alerts?per_page=200'));
  return rows.filter(({ evidence }) => evidence.days.after === day).length;
}

// biome-ignore lint/suspicious/noExplicitAny: a script uses whatever comes
async function dataOf(answer: ReturnType<Api>): Promise<any> {
  const { status, body } = await answer;
  if (status !== 200) throw new Error(`the load is not set up: ${status} ${JSON.stringify(body)}`);
  return body.data;
}

function toEvent<T extends Topic>(topic: T, key: string, message: TopicMessages[T]): EventRecord {
  const codec = topics[topic] as MessageCodec<TopicMessages[T]>;
  return { id: randomUUID(), topic, key, payload: codec.encode(message).finish(), at: new Date() };
}
