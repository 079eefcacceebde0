import { createSourceGuard } from '@shelfwise/facts/source-guard';
import type { Topic } from '@shelfwise/proto/topics';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { createCounterStore } from '@shelfwise/runtime/mongo/counter-store';
import type { Connection } from 'mongoose';
import { messagesOf } from '../../../testing/recording-bus.ts';
import { useDatabase } from '../../../testing/use-database.ts';
import { createListingJobs, type ListingGroup } from '../src/daily-run/listing-jobs.ts';
import { toListingReading } from '../src/domain/listing.ts';
import { toListingVersion } from '../src/domain/listing-version.ts';
import { nextReadingOfNewListing } from '../src/domain/next-reading.ts';
import {
  applicationTracked,
  applicationUntracked,
  competitorTracked,
  competitorUntracked,
} from '../src/domain/tracking-events.ts';
import { createRecordListing } from '../src/listings/record-listing.ts';
import { createRecordMissing } from '../src/listings/record-missing.ts';
import { trackingSchema } from '../src/schema.ts';
import { createCompetitorStore } from '../src/stores/competitor-store.ts';
import { createDueListingStore } from '../src/stores/due-listing-store.ts';
import { createListingStore } from '../src/stores/listing-store.ts';
import { createListingVersionStore } from '../src/stores/listing-version-store.ts';
import { createTrackedAppStore } from '../src/stores/tracked-app-store.ts';
import { createFakeStoreFetch, type FakeStoreFetch, fakeListing } from './fake-store-fetch.ts';
import { us } from './start-tracking.ts';

export type Listings = Awaited<ReturnType<ReturnType<typeof createListingHarness>['startListings']>>;

export const requestId = 'request-1';
const logger = createLogger({ name: 'test', level: 'silent', destination: process.stdout });

/** The parts that read and record listings, without the rest of the service, on the empty database of the file. */
export function createListingHarness() {
  const database = useDatabase(trackingSchema);

  /** With `isOnlyCopy` no other one may be started. */
  async function startListings({ isOnlyCopy = false } = {}) {
    const taken = await database.take();
    const { connection } = taken;
    const clock = { at: new Date('2026-03-10T09:00:00Z') };
    const store = createFakeStoreFetch(() => clock.at);
    let copies = 0;
    /** Another copy of these parts on the same database. */
    function startCopy() {
      copies += 1;
      return createCopy(database.view(taken, copies), store, clock);
    }
    const rows = (collection: string) => connection.collection(collection).find({}).toArray();
    return { ...createCopy(connection, store, clock, isOnlyCopy), startCopy, clock, store, rows };
  }
  return { startListings };
}

function createCopy(connection: Connection, store: FakeStoreFetch, clock: { at: Date }, isOnlyCopy = false) {
  const now = () => clock.at;
  const counters = createCounterStore(connection);
  const listings = createListingStore(connection, counters, isOnlyCopy);
  const listingVersions = createListingVersionStore(connection);
  const trackedApps = createTrackedAppStore(connection, isOnlyCopy);
  const competitors = createCompetitorStore(connection, counters, isOnlyCopy);
  const dueListings = createDueListingStore(listings);
  const sourceGuard = createSourceGuard({ connection });
  const wakeRelay = jest.fn();
  const recordListing = createRecordListing({ listings, listingVersions, now, wakeRelay });
  const recordMissing = createRecordMissing({
    listings,
    listingVersions,
    storeFetch: store.client,
    now,
    wakeRelay,
  });
  const jobsOf = (which: 'ITUNES' | 'GPLAY') =>
    createListingJobs({
      store: which,
      dueListings,
      trackedApps,
      competitors,
      recordListing,
      recordMissing,
      storeFetch: store.client,
      sourceGuard,
      logger,
      now,
      random: () => 0,
    });
  const jobs = jobsOf('ITUNES');

  /** Reads the store now and records the reading as TrackApplication does. */
  async function read(appId: string, shown: object = {}, storefront: Storefront = us) {
    const listing = { ...fakeListing(appId), ...shown };
    const reading = toListingReading({ reading: store.reading(), listing });
    const planNext = (id: number, content: { subtitle: string | null; read_at: Date }) => {
      const at = nextReadingOfNewListing(id, content, now());
      return { planned_at: at, due_at: at, failures: 0, last_tracked_at: now() };
    };
    return recordListing({ storefront, reading, planNext, requestId });
  }

  /** The same, and an account tracks it. */
  async function track(appId: string, shown: object = {}, storefront: Storefront = us) {
    const listing = await read(appId, shown, storefront);
    const { _id: id } = listing;
    const key = { account_id: 'ann', listing_id: id };
    await trackedApps.track(key, await trackedApps.find(key), now(), (at) =>
      applicationTracked('ann', listing, { at, requestId }),
    );
    return id;
  }

  /**
   * Tracks the apps 1000, 1001 and so on, which is much cheaper than one by one: the others are copies of the rows of
   * the first, without its event. Returns their ids.
   */
  async function trackMany(count: number, storefront: Storefront = us): Promise<number[]> {
    const firstId = await track('1000', {}, storefront);
    if (count === 1) return [firstId];
    const ids = Array.from({ length: count }, (_, index) => firstId + index);
    const first = await listings.model.findById(firstId).lean();
    const tracked = await trackedApps.model.findOne({ listing_id: firstId }).lean();
    if (!first || !tracked) throw new Error('the first app is not tracked');
    const rows = ids.slice(1).map((_id, index) => {
      const listing = fakeListing(String(1001 + index));
      const content = toListingReading({ reading: store.reading(), listing });
      const at = nextReadingOfNewListing(_id, content, now());
      return { ...first, ...content, _id, planned_at: at, due_at: at };
    });
    const { account_id, active, tracked_since, removed_at } = tracked;
    const insert = (collection: string, documents: object[]) =>
      connection.collection(collection).insertMany(documents as never[]);
    await insert('listings', rows);
    await insert(
      'listing_versions',
      rows.map((row) => ({ _id: `${row._id}:1`, ...toListingVersion(row) })),
    );
    await insert(
      'tracked_apps',
      rows.map(({ _id }) => ({ account_id, listing_id: _id, active, tracked_since, removed_at })),
    );
    await counters.take('listing', rows.length);
    return ids;
  }

  /** The account stops tracking it; it has no keywords. */
  async function untrack(listingId: number) {
    const key = { account_id: 'ann', listing_id: listingId };
    await trackedApps.untrack(key, now(), (at) =>
      applicationUntracked({ account_id: 'ann', id: listingId }, { at, requestId }),
    );
    const removed = await trackedApps.findPendingRemoval(key);
    if (removed) await trackedApps.completeRemoval(removed);
  }

  /** An account adds the app as a competitor of an application; returns the relation's id. */
  async function addCompetitor(appId: string, shown: object = {}) {
    const competitor = await read(appId, shown);
    const id = await competitors.track(
      { account_id: 'ann', listing_id: 9999, competitor_id: competitor._id },
      now(),
      (at) => competitorTracked({ account_id: 'ann', app_id: 9999 }, competitor, { at, requestId }),
    );
    if (id === null) throw new Error('it is a competitor already');
    return id;
  }

  /** The account removes a competitor. */
  async function removeCompetitor(relation: number) {
    await competitors.untrack('ann', relation, now(), (row, at) =>
      competitorUntracked(row, { at, requestId }),
    );
  }

  const call = (): JobCall => ({ requestId, signal: new AbortController().signal });
  /** Runs the due jobs, as a worker does. */
  async function runDue(): Promise<ListingGroup[]> {
    const groups: ListingGroup[] = [];
    for (let claimed = await jobs.claim(2, false); claimed.length > 0; claimed = await jobs.claim(2, false)) {
      for (const group of claimed) await jobs.run(group, call());
      groups.push(...claimed);
    }
    return groups;
  }

  const countDue = (which: 'ITUNES' | 'GPLAY' = 'ITUNES') =>
    listings.model.countDocuments({ store: which, due_at: { $lte: now() } });

  /** The pending events of a topic, oldest first. */
  async function eventsOf<T extends Topic>(topic: T) {
    const documents = await listings.model.find({}).sort({ _id: 1 }).lean<{ outbox?: Outbox }[]>();
    const stored = documents.flatMap(({ outbox }) => Object.entries(outbox ?? {}));
    const records = stored.map(([id, { payload, ...event }]) => ({ id, ...event, payload: payload.buffer }));
    return messagesOf(records, topic);
  }

  return {
    connection,
    listings,
    listingVersions,
    trackedApps,
    competitors,
    dueListings,
    recordListing,
    wakeRelay,
    jobs,
    jobsOf,
    read,
    track,
    trackMany,
    untrack,
    addCompetitor,
    removeCompetitor,
    call,
    runDue,
    countDue,
    changes: () => eventsOf('tracking.listing-changed.v1'),
    readings: () => eventsOf('tracking.listing-read.v1'),
  };
}

type JobCall = { requestId: string; signal: AbortSignal };
type Storefront = { store: 'ITUNES' | 'GPLAY'; country: string; lang: string };
type Outbox = Record<string, { topic: string; key: string; payload: { buffer: Uint8Array }; at: Date }>;
