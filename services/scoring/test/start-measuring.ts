import { createSourceGuard } from '@shelfwise/facts/source-guard';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { KeywordTracked, SnapshotTaken } from '@shelfwise/proto/tracking/v1/events';
import { createLogger } from '@shelfwise/runtime/log/logger';
import type { Connection } from 'mongoose';
import { createManualClock, type ManualClock } from '../../../testing/manual-clock.ts';
import { messagesOf } from '../../../testing/recording-bus.ts';
import { useDatabase } from '../../../testing/use-database.ts';
import { createOnKeywordsTracked } from '../src/events/on-keywords-tracked.ts';
import { createOnSnapshotsTaken } from '../src/events/on-snapshots-taken.ts';
import { scoringSchema } from '../src/schema.ts';
import { createAppDetailsStore } from '../src/stores/app-details-store.ts';
import { type ClaimedTerm, createDueTermStore } from '../src/stores/due-term-store.ts';
import { createMeasuredTermStore } from '../src/stores/measured-term-store.ts';
import type { PageOfTerm, Term } from '../src/stores/term.ts';
import { createTermStore } from '../src/stores/term-store.ts';
import { createTrackedTermStore } from '../src/stores/tracked-term-store.ts';
import { createMeasurer } from '../src/terms/create-measurer.ts';
import { recomputeScores } from '../src/terms/recompute-scores.ts';
import { createTermJobs, type TermKind } from '../src/terms/term-jobs.ts';
import { createFakeStoreFetch, type FakeStoreFetch } from './fake-store-fetch.ts';

export type Measuring = Awaited<ReturnType<ReturnType<typeof createMeasuringHarness>>>;

export const us = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;
export const play = { ...us, store: 'GPLAY' } as const;
export const today = { page: 'today', isUserWaiting: true } as const;
export const week = { page: 'week', isUserWaiting: true } as const;

const silentLog = createLogger({ name: 'test', level: 'silent', destination: process.stdout });

/** Measures keywords without the service around it, on the empty database of the file and with a fake store. */
export function createMeasuringHarness() {
  const database = useDatabase(scoringSchema);

  return async function startMeasuring() {
    const taken = await database.take();
    const clock = createManualClock('2026-03-10T09:00:00Z');
    const store = createFakeStoreFetch(clock.now);
    let copies = 0;
    /** Another copy of the service on the same database. */
    function startCopy() {
      copies += 1;
      return createCopy(database.view(taken, copies), clock, store);
    }
    return { ...createCopy(taken.connection, clock, store), startCopy, clock, store };
  };
}

function createCopy(connection: Connection, clock: ManualClock, store: FakeStoreFetch) {
  const { now } = clock;
  const terms = createTermStore(connection);
  const appDetails = createAppDetailsStore(connection);
  const dueTerms = createDueTermStore(terms);
  const measuredTerms = createMeasuredTermStore(terms);
  const sourceGuard = createSourceGuard({ connection });
  const wake = jest.fn();
  const wakeTracked = jest.fn();
  const savePageRanks = jest.fn(async (_pages: readonly PageOfTerm[]) => {});
  const notified: Term[] = [];
  /** Consumes new scores; a test can make it fail. */
  const dependent = {
    onMeasured: async (term: Term) => {
      notified.push(term);
    },
  };
  const onMeasured = (term: Term) => dependent.onMeasured(term);
  const measurer = createMeasurer({
    terms,
    measuredTerms,
    appDetails,
    storeFetch: store.client,
    sourceGuard,
    onMeasured,
    now,
    wake,
    random: () => 0,
  });
  const jobsOf = (kind: TermKind, store: 'ITUNES' | 'GPLAY') =>
    createTermJobs({ store, kind, dueTerms, measurer, now, random: () => 0 });
  const trackedJobs = { ITUNES: jobsOf('tracked', 'ITUNES'), GPLAY: jobsOf('tracked', 'GPLAY') };
  const wordJobs = { ITUNES: jobsOf('words', 'ITUNES'), GPLAY: jobsOf('words', 'GPLAY') };

  /** Runs all due jobs as the workers do: tracked keywords, then words. Returns the keywords in order. */
  async function runDue(which: 'ITUNES' | 'GPLAY' = 'ITUNES'): Promise<string[]> {
    const done: string[] = [];
    for (const { claim, run } of [trackedJobs[which], wordJobs[which]])
      for (let jobs = await claim(2, false); jobs.length > 0; jobs = await claim(2, false))
        for (const job of jobs) {
          await run(job, jobCall());
          done.push(job.keyword);
        }
    return done;
  }
  /** Claims jobs of the words of listings. */
  const claim = (which: 'ITUNES' | 'GPLAY', count = 2): Promise<ClaimedTerm[]> =>
    wordJobs[which].claim(count, false);

  /** The stored term; throws when it is missing. */
  async function termOf(keyword: string, storefront: Storefront = us) {
    const term = await terms.find(storefront, keyword);
    if (!term) throw new Error(`${keyword} is not stored`);
    return term;
  }

  /** The pending keyword-scored events; per keyword in the order of writing. */
  async function events() {
    const documents = await terms.model.find({}).sort({ _id: 1 }).lean<{ outbox?: Outbox }[]>();
    const records = documents
      .flatMap(({ outbox }) => Object.entries(outbox ?? {}))
      .map(([id, { payload, ...event }]) => ({ id, ...event, payload: payload.buffer }));
    return messagesOf(records, 'scoring.keyword-scored.v1');
  }

  const onTracked = createOnKeywordsTracked({
    auditor: { onKeywordsChanged: async () => {} },
    terms,
    trackedTerms: createTrackedTermStore(connection),
    now,
    wake,
    wakeTracked,
  });
  const onSnapshots = createOnSnapshotsTaken({ terms, savePageRanks, now, wakeTracked });
  return {
    connection,
    terms,
    appDetails,
    dueTerms,
    measurer,
    trackedJobs,
    wordJobs,
    wake,
    wakeTracked,
    savePageRanks,
    notified,
    dependent,
    runDue,
    claim,
    termOf,
    events,
    onTracked: (message: KeywordTracked, event: { id: string; requestId: string }) =>
      onTracked([message], [event]),
    onManyTracked: onTracked,
    onSnapshot: (...snapshots: SnapshotTaken[]) => onSnapshots(snapshots),
    recomputeScores: () =>
      recomputeScores(
        { terms, measuredTerms, onMeasured, logger: silentLog, now, sleep: clock.sleep, wake },
        new AbortController().signal,
      ),
  };
}

export function jobCall(): { requestId: string; signal: AbortSignal } {
  return { requestId: 'daily-run-1', signal: new AbortController().signal };
}

type Outbox = Record<string, { topic: string; key: string; payload: { buffer: Uint8Array }; at: Date }>;
