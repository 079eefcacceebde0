import { AccountRowsServiceService } from '@shelfwise/proto/account/v1/account_rows';
import { NotifyServiceService } from '@shelfwise/proto/notify/v1/notify';
import type { TopicMessages } from '@shelfwise/proto/topics';
import type { EventBus } from '@shelfwise/runtime/events/event-bus';
import { createGrpcClient } from '@shelfwise/runtime/grpc/client/grpc-client';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { createMetrics } from '@shelfwise/runtime/metrics/metrics';
import { createSecretBox } from '@shelfwise/runtime/secrets/secret-box';
import { withContext } from '../../../testing/call-within.ts';
import { createManualClock, type ManualClock } from '../../../testing/manual-clock.ts';
import { createRecordingBus } from '../../../testing/recording-bus.ts';
import { until } from '../../../testing/until.ts';
import { useClosing } from '../../../testing/use-closing.ts';
import { useDatabase } from '../../../testing/use-database.ts';
import { quickMs } from '../src/delivery/channel-jobs.ts';
import type { MailSettings } from '../src/delivery/mailer.ts';
import { notifySchema } from '../src/schema.ts';
import { createNotifyServer } from '../src/server.ts';
import { createFakeReceivers, type FakeReceivers } from './fake-receivers.ts';

export type Notify = Awaited<ReturnType<ReturnType<typeof createHarness>['startNotify']>>;

export const us = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;

const secretsKey = Buffer.alloc(32, 7);

/** The sleeping loops of an idle copy: the sweep, the look for unread keywords, that for charts, and the workers of channels and of digests. */
const sleepersWhenIdle = 5;

/** Waits until the copies on one clock have sent everything that is due. */
export async function untilIdle(clock: ManualClock, copies = 1): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  // A send to a receiver that was quick sleeps, too, while its worker does not.
  await until(() => clock.sleeping() === copies * sleepersWhenIdle && clock.sleeping(quickMs) === 0);
}

/** All alerts of ann, newest first. */
export const allAlerts = { account_id: 'ann', page: 1, per_page: 200 };

/**
 * Starts the real service on the empty database of the file: on the server at MONGODB_URI if set, else on the embedded engine.
 * Events come from the test. After the test it is stopped.
 */
export function createHarness() {
  const closing = useClosing();
  // After its hook, which still needs the connections.
  const database = useDatabase(notifySchema);

  async function startNotify(
    options: {
      database?: string;
      hasBus?: boolean;
      /** What delivers events, instead of the test. */
      ofBus?: EventBus;
      hasOwnConnection?: boolean;
      /** See `ServiceDeps`: whether it may remember rows. Default: no, because the test may start other copies. */
      isOnlyCopy?: boolean;
      clock?: ManualClock;
      receivers?: FakeReceivers;
      /** False: SECRETS_KEY is not set. */
      hasKey?: boolean;
      /** Of SECRETS_KEY. */
      secretsKeys?: readonly Buffer[];
      /** Whether it sends over the network, also to this machine. */
      isReal?: boolean;
      /** Default: settings of mail are missing. */
      mail?: MailSettings;
      mailTimeoutMs?: number | undefined;
    } = {},
  ) {
    const logger = createLogger({ name: 'test', level: 'silent', destination: process.stdout });
    const { name, connection, end } = await database.startCopy(options);
    const clock = options.clock ?? createManualClock('2026-03-10T09:00:00Z');
    const receivers = options.receivers ?? createFakeReceivers();
    const bus = createRecordingBus();
    const metrics = createMetrics();
    let isStopping = false;
    const server = createNotifyServer({
      connection,
      isDatabaseEmbedded: true,
      isOnlyCopy: options.isOnlyCopy ?? false,
      bus: options.hasBus === false ? null : (options.ofBus ?? bus),
      logger,
      metrics,
      secretBox: options.hasKey === false ? null : createSecretBox(options.secretsKeys ?? [secretsKey]),
      target: { allowPrivate: options.isReal ?? false },
      mail: options.mail ?? ['SMTP_URL', 'MAIL_FROM', 'PUBLIC_URL'],
      mailTimeoutMs: options.mailTimeoutMs,
      post: options.isReal ? undefined : receivers.post,
      now: clock.now,
      sleep: (ms, signal) => (isStopping ? Promise.resolve() : clock.sleep(ms, signal)),
      listenAddress: null,
    });
    await server.start();
    const connect = { name: 'notify', address: server.inProcess };
    const { client, close } = createGrpcClient({ service: NotifyServiceService, ...connect });
    const rows = createGrpcClient({ service: AccountRowsServiceService, ...connect });
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= (async () => {
        close();
        rows.close();
        isStopping = true;
        await server.stop();
        end();
      })();
      return stopped;
    };
    closing.push(stop);
    return {
      client: withContext(client),
      accountRows: withContext(rows.client),
      server,
      bus,
      clock,
      receivers,
      metrics,
      connection,
      database: name,
      stop,
    };
  }
  return { startNotify, clear: database.clear };
}

type Event<Topic extends keyof TopicMessages> = Partial<TopicMessages[Topic]>;

const before = new Date('2026-03-01T08:00:00Z');

/** A reading of the listing with this internal id, whose store identifier is `app-<id>`. */
export function listingOf(
  id: number,
  {
    day = '2026-03-01',
    revision = 1,
    ...listing
  }: Record<string, unknown> & { day?: string; revision?: number } = {},
) {
  return {
    id,
    storefront: us,
    revision,
    read_at: new Date(`${day}T06:00:00Z`),
    source: 'sample',
    listing: {
      app_id: `app-${id}`,
      title: `App ${id}`,
      screenshots: [],
      languages: [],
      unreadable: [],
      ...listing,
    },
  };
}

/** Publishes what tracking would, about keyword 7 and the application 1 of ann. */
export function publisher({ bus }: Pick<Notify, 'bus'>) {
  return {
    trackApp: (event: Event<'tracking.application-tracked.v1'> = {}) =>
      bus.deliver('tracking.application-tracked.v1', '1', {
        account_id: 'ann',
        at: before,
        listing: listingOf(1) as never,
        ...event,
      }),
    trackKeyword: (event: Event<'tracking.keyword-tracked.v1'> = {}) =>
      bus.deliver('tracking.keyword-tracked.v1', '7', {
        account_id: 'ann',
        keyword_id: 7,
        keyword: 'planner',
        storefront: us,
        app_id: 1,
        at: before,
        scored_at: null,
        ...event,
      }),
    untrackKeyword: (event: Event<'tracking.keyword-untracked.v1'> = {}) =>
      bus.deliver('tracking.keyword-untracked.v1', '7', {
        account_id: 'ann',
        keyword_id: 7,
        app_id: 1,
        at: before,
        ...event,
      }),
    setFavorite: (event: Event<'tracking.keyword-favorite-set.v1'> = {}) =>
      bus.deliver('tracking.keyword-favorite-set.v1', '7', {
        account_id: 'ann',
        keyword_id: 7,
        app_id: 1,
        is_favorite: true,
        at: before,
        ...event,
      }),
    trackCompetitor: (event: Event<'tracking.competitor-tracked.v1'> = {}) =>
      bus.deliver('tracking.competitor-tracked.v1', '1', {
        account_id: 'ann',
        app_id: 1,
        at: before,
        listing: listingOf(2) as never,
        ...event,
      }),
    /** The page of a day of March 2026 on which these apps have these ranks. */
    takePage: (
      day: number,
      ranks: Record<string, number>,
      event: Event<'tracking.snapshot-taken.v1'> & { size?: number } = {},
    ) => {
      const { size = 100, ...changes } = event;
      const appIds = Array.from({ length: size }, (_, index) => `other-${index}`);
      for (const [appId, rank] of Object.entries(ranks)) appIds[rank - 1] = appId;
      const date = `2026-03-${String(day).padStart(2, '0')}`;
      return bus.deliver('tracking.snapshot-taken.v1', '7', {
        keyword_id: 7,
        keyword: 'planner',
        storefront: us,
        day: date,
        taken_at: new Date(`${date}T05:00:00Z`),
        source: 'sample',
        app_ids: appIds,
        revision: 1,
        ...changes,
      });
    },
    /** The Productivity chart of free apps of a day of March 2026 on which these apps have these ranks. */
    takeChart: (
      day: number,
      ranks: Record<string, number>,
      event: Event<'chart.chart-taken.v1'> & { size?: number } = {},
    ) => {
      const { size = 100, ...changes } = event;
      const appIds = Array.from({ length: size }, (_, index) => `other-${index}`);
      for (const [appId, rank] of Object.entries(ranks)) appIds[rank - 1] = appId;
      const date = `2026-03-${String(day).padStart(2, '0')}`;
      return bus.deliver('chart.chart-taken.v1', 'ITUNES:US:6007:free', {
        store: 'ITUNES',
        country: 'US',
        category: '6007',
        collection: 'FREE',
        day: date,
        read_at: new Date(`${date}T05:00:00Z`),
        source: 'sample',
        app_ids: appIds,
        ...changes,
      });
    },
    /** A store cannot be read any more, or can again, at a time of March 2026. */
    changeStore: (isBlocked: boolean, day: number, event: Event<'store.state-changed.v1'> = {}) =>
      bus.deliver('store.state-changed.v1', 'ITUNES', {
        store: 'ITUNES',
        is_blocked: isBlocked,
        at: new Date(`2026-03-${String(day).padStart(2, '0')}T09:30:00Z`),
        since: new Date('2026-03-08T09:00:00Z'),
        ...event,
      }),
    /** An audit of application 1 on a day of March 2026. */
    audit: (day: number, global: number, event: Event<'scoring.listing-audited.v1'> = {}) =>
      bus.deliver('scoring.listing-audited.v1', '1', {
        id: 1,
        global,
        coverage: global,
        targeting: global,
        appeal: global,
        tier: 2,
        scoring_version: 4,
        computed_at: new Date(`2026-03-${String(day).padStart(2, '0')}T06:00:00Z`),
        pending_at: null,
        is_partial: false,
        ...event,
      }),
    changeListing: (changed: string[], listing: ReturnType<typeof listingOf>) =>
      bus.deliver('tracking.listing-changed.v1', String(listing.id), { changed, listing: listing as never }),
  };
}
