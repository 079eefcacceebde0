import { utcDay } from '@shelfwise/runtime/day';
import type { Logger } from '@shelfwise/runtime/log/logger';
import type { Metrics } from '@shelfwise/runtime/metrics/metrics';
import { databaseStatus } from '@shelfwise/runtime/mongo/database-status';
import { PartState, type StatusCheck } from '@shelfwise/runtime/process/status';
import type { RedisConnection } from '@shelfwise/runtime/redis/connect-redis';
import type { Connection } from 'mongoose';
import { createAddresses } from './budget/addresses.ts';
import { createBuckets } from './budget/buckets.ts';
import type { CallObserver, CallWithBudget } from './budget/call-with-budget.ts';
import { createSharing, sharingChecks } from './budget/create-sharing.ts';
import { createStoreAccess } from './budget/store-access.ts';
import { createAnswerCache } from './cache/answer-cache.ts';
import type { StoreSettings } from './config.ts';
import { createStorefrontDoubt } from './empty-pages/storefront-doubt.ts';
import { createReadIcon } from './icons/read-icons.ts';
import { rememberIcons } from './icons/remember-icons.ts';
import { createStoreMetrics } from './monitoring/store-metrics.ts';
import { createStoreOutages, resultPages } from './monitoring/store-outages.ts';
import { createStoreStatus } from './monitoring/store-status.ts';
import type { LiveStores, StoreSource } from './source.ts';
import { createAppStoreSource } from './sources/app-store/app-store-source.ts';
import { createGooglePlaySource } from './sources/google-play/google-play-source.ts';
import { listKnownQuestions } from './sources/known-questions.ts';
import { createLiveSource } from './sources/live-source.ts';
import { type LostFields, reportLostFields } from './sources/lost-fields.ts';
import type { createSampleCatalog } from './sources/sample/catalog.ts';
import { createClock } from './store-health/clock.ts';
import { type Budget, type Endpoint, endpoints } from './store-health/endpoints.ts';
import type { Question } from './store-health/question.ts';
import { createDoubtedStorefrontStore } from './stores/doubted-storefront-store.ts';
import { createIconAddressStore } from './stores/icon-address-store.ts';
import { createSearchTermStore } from './stores/search-term-store.ts';
import { createStoreStateStore } from './stores/store-state-store.ts';

export type SourceSettings = StoreSettings & { STORE_SOURCE: 'sample' | 'live' };

export type SourceDeps = {
  metrics: Metrics;
  now: () => Date;
  /** The database of store-fetch; a live source stores its budgets there. */
  connection: Connection;
  /** Whether the database is the embedded one, which the health page shows. */
  isDatabaseEmbedded: boolean;
  logger: Logger;
  /** Through which the copies of a live source share breakers and answers; default: each copy has its own. */
  redis?: RedisConnection | undefined;
  /** 0 to 1, for the pauses before retries; default: Math.random. */
  random?: (() => number) | undefined;
  /** The sample's catalog; default: a new one. */
  createCatalog?: typeof createSampleCatalog | undefined;
};

export type SelectedSource = {
  source: StoreSource;
  /** The source's parts of the health page. */
  checks: { 'store source': StatusCheck } & Record<string, StatusCheck>;
  /**
   * Refuses all calls that are queued for a live store; calls that have been sent continue. Called when the service
   * drains.
   */
  refuseQueued(): void;
  /** Closes the connections to proxies. Called after the last request. */
  stop(): Promise<void>;
};

const cacheBytes = 64 * 1024 * 1024;

/** Creates the source that reads the stores, with its budgets, breakers and cache. */
export function startLiveSource(
  settings: SourceSettings,
  { metrics, now, connection, isDatabaseEmbedded, logger, redis, random = Math.random }: SourceDeps,
): SelectedSource {
  const { addresses, close } = createAddresses(settings.STORE_PROXIES);
  const clock = createClock(now);
  const storeMetrics = createStoreMetrics(metrics);
  const status = createStoreStatus(now);
  const outages = createStoreOutages({
    states: createStoreStateStore(connection),
    isOpen: (store) => access.breakers.openState(resultPages[store]) !== null,
    now,
    logger,
  });
  const buckets = createBuckets({ connection, clock, random });
  const shared = redis ? createSharing(redis, { settings, clock }) : null;
  const createStores = (callWithBudget: CallWithBudget) => createLiveStores(settings, now, callWithBudget);
  const access = createStoreAccess({
    addresses,
    clock,
    random,
    perMinute: budgetsOf(settings),
    buckets,
    observer: {
      onCall(call) {
        storeMetrics.onCall(call);
        status.onCall(call);
        outages.onCall(call);
        logMalformed(logger, call);
      },
      onRefused: storeMetrics.onRefused,
      onSlotGranted: storeMetrics.onSlotGranted,
    },
    knownQuestions: listKnownQuestions(createStores),
    shared,
  });
  storeMetrics.watch(access);
  logger.info(
    { addresses: addresses.map(({ label }) => label) },
    'live stores are read through these addresses',
  );
  const doubt = createStorefrontDoubt({
    storefronts: createDoubtedStorefrontStore(connection),
    now,
    onSign(storefront, sign) {
      storeMetrics.onDoubtSign(storefront.store, sign);
      logger.warn(
        { ...storefront, sign },
        'a storefront shows wrong result pages: its empty ones are not believed',
      );
    },
  });
  const logLostFields = createLostFieldsLog(logger, now);
  const icons = createIconAddressStore(connection);
  const { stop: stopProbes, ...reads } = createLiveSource({
    stores: reportLostFields(createStores(access.callWithBudget), (lost) => {
      storeMetrics.onLostFields(lost);
      logLostFields(lost);
    }),
    cache: createAnswerCache({
      maxBytes: cacheBytes,
      now,
      shared: shared?.answers,
      onSharedLookup: storeMetrics.onSharedLookup,
    }),
    now,
    onCacheLookup: storeMetrics.onCacheLookup,
    emptyPages: {
      terms: createSearchTermStore(connection),
      doubt,
      clock,
      onEmptyPage: storeMetrics.onEmptyPage,
      onCanary: storeMetrics.onCanary,
    },
  });
  return {
    source: {
      ...rememberIcons(reads, { icons, now }),
      icon: createReadIcon({
        icons,
        baseUrls: baseUrlsOf(settings),
        timeoutMs: settings.STORE_TIMEOUT_MS,
        now,
        onIcon: storeMetrics.onIcon,
      }),
    },
    checks: {
      'store source': liveStatus(addresses.length),
      ...status.checks(access, doubt.list),
      'store budgets': budgetsStatus(databaseStatus(connection, isDatabaseEmbedded), buckets),
      ...sharingChecks(redis),
    },
    refuseQueued() {
      stopProbes();
      access.stop();
    },
    async stop() {
      await outages.settled();
      await close();
    },
  };
}

/** A look-up may be about 100 apps. */
const maxLoggedApps = 20;

/**
 * Logs what could not be read and why: users of the API do not learn it. Remembered failures and breakers limit how
 * often that happens.
 */
function logMalformed(
  logger: Logger,
  { endpoint, question, requestId, failure }: Parameters<CallObserver['onCall']>[0],
): void {
  if (failure?.kind === 'malformed')
    logger.warn(
      {
        request_id: requestId,
        store: endpoints[endpoint].store,
        endpoint,
        country: question.country,
        ...loggedItems(endpoint, question),
        reason: failure.message,
        cause: failure.cause instanceof Error ? failure.cause.message : undefined,
      },
      'an answer of a store cannot be read',
    );
}

/** Apps and charts by their ids. Terms are what users search for: like spans, the line has none. */
function loggedItems(
  endpoint: Endpoint,
  { items }: Question,
): { app_ids?: string[]; chart?: string | undefined } {
  const { about } = endpoints[endpoint];
  if (about === 'apps') return { app_ids: items.slice(0, maxLoggedApps) };
  return about === 'chart' ? { chart: items[0] } : {};
}

/** Logs each field of an endpoint once a day (UTC): its pages are answers, so nothing limits how often that happens. */
function createLostFieldsLog(logger: Logger, now: () => Date): (lost: LostFields) => void {
  const loggedOn = new Map<string, string>();
  return ({ endpoint, country, fields }) => {
    const day = utcDay(now());
    const isLogged = (field: string) => loggedOn.get(`${endpoint} ${field}`) === day;
    const fresh = fields.filter((field) => !isLogged(field));
    if (fresh.length === 0) return;
    for (const field of fresh) loggedOn.set(`${endpoint} ${field}`, day);
    logger.warn(
      { store: endpoints[endpoint].store, endpoint, country, fields: fresh },
      'no row of a page has a readable value of these fields: has the store changed its format?',
    );
  };
}

/**
 * The state of the database; degraded while another process's clock is so far ahead that this process makes no calls.
 */
function budgetsStatus(
  database: StatusCheck,
  { clockAheadMs }: ReturnType<typeof createBuckets>,
): StatusCheck {
  return async () => {
    const status = { ...(await database()), name: 'store budgets' };
    const aheadMs = clockAheadMs();
    if (aheadMs === null) return status;
    const detail = `written by a clock ${Math.round(aheadMs / 1000)} s ahead of this process's, which prevents calls: clocks must agree to within a minute`;
    return { ...status, state: PartState.DEGRADED, detail };
  };
}

function budgetsOf(settings: SourceSettings): Record<Budget, number> {
  return {
    itunes: settings.STORE_ITUNES_PER_MINUTE,
    'itunes-hints': settings.STORE_ITUNES_HINTS_PER_MINUTE,
    'itunes-pages': settings.STORE_ITUNES_PAGES_PER_MINUTE,
    play: settings.STORE_PLAY_PER_MINUTE,
  };
}

function baseUrlsOf(settings: SourceSettings): string[] {
  return [
    settings.STORE_ITUNES_URL,
    settings.STORE_ITUNES_HINTS_URL,
    settings.STORE_APPS_URL,
    settings.STORE_PLAY_URL,
  ];
}

function createLiveStores(
  settings: SourceSettings,
  now: () => Date,
  callWithBudget: CallWithBudget,
): LiveStores {
  const { STORE_TIMEOUT_MS: timeoutMs } = settings;
  return {
    ITUNES: createAppStoreSource({
      callWithBudget,
      timeoutMs,
      now,
      urls: {
        itunes: settings.STORE_ITUNES_URL,
        hints: settings.STORE_ITUNES_HINTS_URL,
        apps: settings.STORE_APPS_URL,
      },
    }),
    GPLAY: createGooglePlaySource({ callWithBudget, baseUrl: settings.STORE_PLAY_URL, timeoutMs, now }),
  };
}

function liveStatus(addressCount: number): StatusCheck {
  const over = addressCount === 1 ? '1 address' : `${addressCount} addresses`;
  return async () => ({
    name: 'store source',
    state: PartState.OK,
    detail: `live: the App Store and Google Play, over ${over}`,
    is_embedded: false,
  });
}
