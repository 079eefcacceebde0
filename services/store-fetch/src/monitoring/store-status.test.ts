import { createMetrics } from '@shelfwise/runtime/metrics/metrics';
import { PartState } from '@shelfwise/runtime/process/status';
import { createFakeClock } from '../../test/fake-clock.ts';
import { createMemoryBuckets } from '../../test/memory-buckets.ts';
import { questionAbout } from '../../test/question-about.ts';
import { createStoreAccess } from '../budget/store-access.ts';
import { forDailyRun, urgent } from '../budget/urgency.ts';
import type { Endpoint } from '../store-health/endpoints.ts';
import { StoreFailure, type StoreFailureKind } from '../store-health/store-failure.ts';
import { createStoreMetrics } from './store-metrics.ts';
import { createStoreStatus } from './store-status.ts';

function start(perMinute = 60) {
  const clock = createFakeClock('2026-11-21T12:04:00Z');
  const addresses = [{ label: 'direct', dispatcher: undefined }];
  const metrics = createMetrics();
  const storeMetrics = createStoreMetrics(metrics);
  const status = createStoreStatus(clock.now);
  const access = createStoreAccess({
    addresses,
    clock,
    random: () => 0,
    buckets: createMemoryBuckets(clock),
    perMinute: { itunes: perMinute, 'itunes-hints': 60, 'itunes-pages': 60, play: 60 },
    observer: {
      ...storeMetrics,
      onCall(call) {
        storeMetrics.onCall(call);
        status.onCall(call);
      },
    },
  });
  storeMetrics.watch(access);
  const checks = status.checks(access, async () => []);
  let calls = 0;
  /** Of the latest request, and of a probe for it. */
  let latestOutcome: StoreFailureKind | 'ok' = 'ok';
  async function makeCall(endpoint: Endpoint, outcome: StoreFailureKind | 'ok', isUrgent = true) {
    latestOutcome = outcome;
    const signal = new AbortController().signal;
    const answer = access.callWithBudget(
      {
        endpoint,
        question: questionAbout(`call ${calls++}`),
        signal,
        urgency: isUrgent ? urgent : forDailyRun,
      },
      async () => {
        if (latestOutcome !== 'ok') throw new StoreFailure(latestOutcome, 'refused the call (HTTP 403)');
      },
    );
    answer.catch(() => {});
    await clock.settle();
  }
  const part = async (name: string) => checks[name]?.();
  const measured = async (name: string) => {
    const text = await metrics.registry.getSingleMetricAsString(name);
    return text.split('\n').filter((line) => !line.startsWith('#'));
  };
  return { clock, makeCall, part, measured, access };
}

test('a store that has not been called yet is OK', async () => {
  const { part } = start();
  expect(await part('App Store')).toEqual({
    name: 'App Store',
    state: PartState.OK,
    detail: 'not called since the start',
    is_embedded: false,
  });
});

test('each store shows the outcome and age of its last calls', async () => {
  const { part, makeCall, clock } = start();
  await makeCall('itunes-search', 'ok');
  await clock.advance(12_000);
  await makeCall('play-search', 'ok');
  await makeCall('itunes-hints', 'malformed');
  await clock.advance(3000);
  expect(await part('App Store')).toMatchObject({
    state: PartState.DEGRADED,
    detail: 'itunes-search ok 15 s ago; itunes-hints malformed 3 s ago',
  });
  expect(await part('Google Play')).toMatchObject({ state: PartState.OK, detail: 'play-search ok 3 s ago' });
  await makeCall('itunes-hints', 'ok');
  expect(await part('App Store')).toMatchObject({ state: PartState.OK });
});

test('a store with an open breaker is degraded and says why and until when; it recovers by itself', async () => {
  const { part, makeCall, clock } = start();
  await makeCall('itunes-search', 'blocked');
  await makeCall('itunes-search', 'blocked');
  expect(await part('App Store')).toMatchObject({
    state: PartState.DEGRADED,
    detail:
      'itunes-search blocked 0 s ago, is not called until 12:04:15 UTC: the last call failed ' +
      'because it refused the call (HTTP 403)',
  });
  const since = new Date('2026-11-21T12:04:00Z');
  const pause = { since, next_try_at: new Date('2026-11-21T12:04:15Z') };
  expect(await part('App Store')).toMatchObject({ pause });
  expect(await part('Google Play')).toMatchObject({ state: PartState.OK, pause: undefined });
  await clock.advance(15_000);
  expect(await part('App Store')).toMatchObject({ pause: { since, next_try_at: null } });
  await makeCall('itunes-search', 'ok');
  expect(await part('App Store')).toMatchObject({
    state: PartState.OK,
    detail: 'itunes-search ok 0 s ago',
    pause: undefined,
  });
});

test('a store with open breakers on all addresses is degraded, even if its last call succeeded', async () => {
  const { part, makeCall, access } = start();
  await makeCall('itunes-search', 'ok');
  const [direct] = access.addresses;
  if (!direct) throw new Error('there is one');
  for (let i = 0; i < 2; i++)
    access.breakers
      .get('itunes-search', direct)
      .startCall(questionAbout(`refused ${i}`))
      .fail(new StoreFailure('blocked', 'refused'));
  expect(await part('App Store')).toMatchObject({ state: PartState.DEGRADED });
});

test('a call whose caller gave up does not change the state of the store', async () => {
  const { part, makeCall } = start();
  await makeCall('itunes-search', 'abandoned');
  expect(await part('App Store')).toMatchObject({
    state: PartState.OK,
    detail: 'not called since the start',
  });
});

test('it shows how many calls are queued', async () => {
  const { part, makeCall } = start(1);
  await makeCall('itunes-search', 'ok');
  await makeCall('itunes-search', 'ok');
  await makeCall('itunes-lookup', 'ok', false);
  await makeCall('itunes-lookup', 'ok', false);
  expect(await part('App Store')).toMatchObject({
    state: PartState.OK,
    detail: 'itunes-search ok 0 s ago; 1 urgent call and 2 calls of the daily run queued',
  });
});

test('metrics count calls by outcome, refused calls, queued calls and open breakers', async () => {
  const { makeCall, clock, measured } = start(3);
  await makeCall('itunes-search', 'ok');
  await makeCall('itunes-search', 'blocked');
  await makeCall('itunes-search', 'blocked');
  await makeCall('itunes-search', 'ok');
  await makeCall('itunes-lookup', 'ok', false);
  expect(await measured('shelfwise_store_calls_total')).toEqual([
    'shelfwise_store_calls_total{store="ITUNES",endpoint="itunes-search",outcome="ok"} 1',
    'shelfwise_store_calls_total{store="ITUNES",endpoint="itunes-search",outcome="blocked"} 2',
  ]);
  expect(await measured('shelfwise_store_calls_refused_total')).toEqual([
    'shelfwise_store_calls_refused_total{store="ITUNES",endpoint="itunes-search",reason="circuit_open"} 2',
  ]);
  expect(await measured('shelfwise_store_queued_calls')).toEqual(
    expect.arrayContaining([
      'shelfwise_store_queued_calls{budget="itunes",urgency="urgent"} 0',
      'shelfwise_store_queued_calls{budget="itunes",urgency="daily"} 1',
    ]),
  );
  await clock.advance(5000);
  expect(await measured('shelfwise_store_longest_queued_seconds')).toEqual(
    expect.arrayContaining([
      'shelfwise_store_longest_queued_seconds{budget="itunes",urgency="urgent"} 0',
      'shelfwise_store_longest_queued_seconds{budget="itunes",urgency="daily"} 5',
    ]),
  );
  expect(await measured('shelfwise_store_breaker_open')).toEqual(
    expect.arrayContaining([
      'shelfwise_store_breaker_open{store="ITUNES",endpoint="itunes-search",address="direct"} 1',
      'shelfwise_store_breaker_open{store="ITUNES",endpoint="itunes-lookup",address="direct"} 0',
    ]),
  );
  await clock.advance(25_000);
  expect(await measured('shelfwise_store_calls_refused_total')).toContain(
    'shelfwise_store_calls_refused_total{store="ITUNES",endpoint="itunes-lookup",reason="budget_exhausted"} 1',
  );
  expect(await measured('shelfwise_store_queue_wait_seconds')).toContain(
    'shelfwise_store_queue_wait_seconds_count{budget="itunes",urgency="urgent"} 3',
  );
});
