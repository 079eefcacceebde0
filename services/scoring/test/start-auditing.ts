import { randomUUID } from 'node:crypto';
import {
  type ComparedListing,
  CompareVisibilityReply,
  CompareVisibilityRequest,
  GetAsoHealthReply,
  GetAsoHealthRequest,
  GetKeywordsFieldReply,
  GetScoreHistoryReply,
  GetShareOfVoiceReply,
  GetShareOfVoiceRequest,
  ListVisibilityDaysReply,
  ListVisibilityDaysRequest,
  SetKeywordsFieldReply,
  SetKeywordsFieldRequest,
} from '@shelfwise/proto/scoring/v1/scoring';
import type { Listing } from '@shelfwise/proto/store/v1/listing';
import { type Topic, type TopicMessages, topics } from '@shelfwise/proto/topics';
import type { KeywordTracked, KeywordUntracked } from '@shelfwise/proto/tracking/v1/events';
import type { TrackedListing } from '@shelfwise/proto/tracking/v1/tracked_listing';
import { AppError } from '@shelfwise/runtime/errors';
import { consumeTopics } from '@shelfwise/runtime/events/consume-topics';
import type { EventBus } from '@shelfwise/runtime/events/event-bus';
import { createLogger } from '@shelfwise/runtime/log/logger';
import type { Connection } from 'mongoose';
import { createManualClock, type ManualClock } from '../../../testing/manual-clock.ts';
import { messagesOf } from '../../../testing/recording-bus.ts';
import { useDatabase } from '../../../testing/use-database.ts';
import { createAuditJobs } from '../src/audits/audit-jobs.ts';
import { createAuditor } from '../src/audits/auditor.ts';
import { createDescriptionJobs } from '../src/audits/description-jobs.ts';
import { createRepeatedAudits } from '../src/audits/repeated-audits.ts';
import { savePageRanks } from '../src/audits/save-ranks.ts';
import { createStores } from '../src/create-stores.ts';
import { blankReading } from '../src/domain/keyword/keyword-reading.ts';
import type { KeywordScore } from '../src/domain/keyword/keyword-score.ts';
import { scoringVersion } from '../src/domain/scoring-version.ts';
import { importances } from '../src/domain/term-schedule.ts';
import { createFormOf } from '../src/domain/text/form-of.ts';
import { createConsumers } from '../src/events/create-consumers.ts';
import { createOnApplicationTracked } from '../src/events/on-application-tracked.ts';
import { createOnApplicationUntracked } from '../src/events/on-application-untracked.ts';
import { createOnKeywordsTracked, createOnKeywordsUntracked } from '../src/events/on-keywords-tracked.ts';
import { createOnListingChanged } from '../src/events/on-listing-changed.ts';
import { createOnListingRead } from '../src/events/on-listing-read.ts';
import { compareVisibility } from '../src/handlers/compare-visibility.ts';
import { deleteAccountRows } from '../src/handlers/delete-account-rows.ts';
import { getAsoHealth } from '../src/handlers/get-aso-health.ts';
import { getScoreHistory } from '../src/handlers/get-score-history.ts';
import { getShareOfVoice } from '../src/handlers/get-share-of-voice.ts';
import { deleteKeywordsField, getKeywordsField, setKeywordsField } from '../src/handlers/keywords-field.ts';
import { listVisibilityDays } from '../src/handlers/list-visibility-days.ts';
import { scoringSchema } from '../src/schema.ts';
import { publicPageAfter } from '../src/stores/public-page.ts';
import { type Ranking, type Term, toRanking } from '../src/stores/term.ts';
import { termId } from '../src/stores/term-filters.ts';
import { fakeListing } from './fake-store-fetch.ts';
import { completeParts } from './scripted-measurer.ts';
import { throughContract } from './through-contract.ts';

export type Auditing = Awaited<ReturnType<ReturnType<typeof createAuditingHarness>['startAuditing']>>;

const logger = createLogger({ name: 'test', level: 'silent', destination: process.stdout });

export const us = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;

/** Audits listings without the service around it and without a store, on the empty database of the file. */
export function createAuditingHarness() {
  const database = useDatabase(scoringSchema);

  /** With `isOnlyCopy` no other one may be started. */
  async function startAuditing({ isOnlyCopy = false } = {}) {
    const taken = await database.take();
    const { connection } = taken;
    const clock = createManualClock('2026-03-10T09:00:00Z');
    let copies = 0;
    /** Another copy of the service on the same database, with a clock of its own if one is given. */
    function startCopy(ownClock = clock) {
      copies += 1;
      return createCopy(database.view(taken, copies), ownClock);
    }
    const rows = (collection: string) => connection.collection(collection).find({}).toArray();
    return { ...createCopy(connection, clock, isOnlyCopy), startCopy, clock, rows };
  }
  return { startAuditing, clear: database.clear };
}

function createCopy(connection: Connection, clock: ManualClock, isOnlyCopy = false) {
  const { now } = clock;
  const stores = createStores(connection, { isOnlyCopy });
  const { listings, auditQueue, terms, trackedTerms, watchers, keywordsFields } = stores;
  const { audits, baskets, visibilityDays, descriptionLooks, sourceGuard } = stores;
  const wake = jest.fn();
  const wakeWorker = jest.fn();
  const wakeDescriptions = jest.fn();
  const auditor = createAuditor({
    ...stores,
    isOnlyCopy,
    logger,
    now,
    wake,
    wakeWorker,
    wakeDescriptions,
  });
  const auditAgain = createRepeatedAudits();
  const auditJobs = createAuditJobs({ auditor, auditQueue, watchers, now, random: () => 0 });
  const wakeTracked = () => {};
  const onTracked = createOnKeywordsTracked({ auditor, terms, trackedTerms, now, wake, wakeTracked });
  const onUntracked = createOnKeywordsUntracked({ auditor, trackedTerms });
  const consumers = {
    'tracking.application-tracked.v1': createOnApplicationTracked({ auditor, watchers }),
    'tracking.application-untracked.v1': createOnApplicationUntracked({ watchers }),
    'tracking.listing-changed.v1': createOnListingChanged({ auditor, watchers }),
    'tracking.listing-read.v1': createOnListingRead({ visibilityDays, sourceGuard }),
    'tracking.keyword-tracked.v1': (message: KeywordTracked, event: { id: string }) =>
      onTracked([message], [event]),
    'tracking.keyword-untracked.v1': (message: KeywordUntracked) => onUntracked([message]),
  };

  /** Hands an event to its consumer after encoding and decoding it. */
  async function deliver<T extends keyof typeof consumers>(
    topic: T,
    message: TopicMessages[T],
  ): Promise<void> {
    const sent = throughContract<unknown>(topics[topic] as never, message);
    await consumers[topic](sent as never, { id: randomUUID() });
  }

  /** Consumes everything that scoring consumes. */
  function subscribe(bus: EventBus): Promise<void> {
    const wakeTracked = jest.fn();
    const { handlers, batchHandlers } = createConsumers({ ...stores, auditor, now, wake, wakeTracked });
    return consumeTopics(bus, 'scoring', handlers, batchHandlers);
  }

  /** Deletes what the service has of an account. */
  const deleteAccount = (accountId: string) =>
    deleteAccountRows(
      { ...stores, bulkJobs: stores.bulkJobStore, now },
      { account_id: accountId },
      { signal: new AbortController().signal },
    );

  /** Runs all due jobs as the worker does. Returns the number of audits. */
  async function runDue(): Promise<number> {
    let done = 0;
    const signal = new AbortController().signal;
    for (let jobs = await auditJobs.claim(4, false); jobs.length > 0; jobs = await auditJobs.claim(4, false))
      for (const job of jobs)
        if ((await auditJobs.run(job, { requestId: 'worker', signal })) === 'done') done += 1;
    return done;
  }

  /**
   * Runs all due jobs for words of descriptions, with what the store suggests for a prefix; null: it cannot be read; `withheld`: it
   * throttles. Returns the number of calls.
   */
  async function lookUp(suggest: (prefix: string) => Promise<string[] | 'withheld' | null>): Promise<number> {
    let calls = 0;
    const jobs = createDescriptionJobs({
      store: 'ITUNES',
      looks: descriptionLooks,
      listings,
      storeFetch: {
        async suggestTerms({ prefix }) {
          calls += 1;
          const terms = await suggest(prefix);
          if (terms === null) throw new AppError('STORE_FETCH_FAILED', 'The store is down.');
          return {
            reading: { read_at: now(), source: 'sample' },
            suggestions: terms === 'withheld' ? null : { terms, is_uncertain: false },
          };
        },
      },
      sourceGuard,
      now,
      random: () => 0,
      wakeAudits: wakeWorker,
    });
    const signal = new AbortController().signal;
    for (let due = await jobs.claim(4, false); due.length > 0; due = await jobs.claim(4, false))
      for (const job of due)
        await jobs.run(job, { requestId: 'worker', signal }).catch(() => jobs.fail(job, true));
    return calls;
  }

  async function historyRows(appId: number, from: string, to: string) {
    const reply = await getScoreHistory({ ...stores, now }, { app_id: appId, from, to });
    return throughContract(GetScoreHistoryReply, reply).history;
  }

  return {
    ...stores,
    auditor,
    auditJobs,
    connection,
    wake,
    wakeWorker,
    wakeDescriptions,
    deliver,
    subscribe,
    deleteAccount,
    runDue,
    lookUp,

    track: (listing: TrackedListing, accountId = 'ann', at = now()) =>
      deliver('tracking.application-tracked.v1', { account_id: accountId, at, listing }),

    untrack: (id: number, accountId = 'ann', at = now()) =>
      deliver('tracking.application-untracked.v1', { account_id: accountId, id, at }),

    change: (listing: TrackedListing) =>
      deliver('tracking.listing-changed.v1', { listing, changed: ['title'] }),

    /** A reading on this day that shows nothing new but a rating count. */
    readOn: (id: number, day: string, ratings: number | null = 1200) =>
      deliver('tracking.listing-read.v1', {
        id,
        read_at: new Date(`${day}T06:00:00Z`),
        source: 'sample',
        ratings,
      }),

    /** Several keywords are tracked in this order. */
    async trackKeyword(
      appId: number,
      keywords: string | readonly string[],
      { account_id: accountId = 'ann', at = now() } = {},
    ) {
      for (const [index, keyword] of [keywords].flat().entries())
        await deliver('tracking.keyword-tracked.v1', {
          account_id: accountId,
          keyword_id: keywordId(keyword),
          keyword,
          storefront: us,
          app_id: appId,
          at: new Date(at.getTime() + index),
          scored_at: null,
        });
    },

    untrackKeyword: (appId: number, keyword: string, { account_id: accountId = 'ann', at = now() } = {}) =>
      deliver('tracking.keyword-untracked.v1', {
        account_id: accountId,
        keyword_id: keywordId(keyword),
        app_id: appId,
        at,
      }),

    /** As when the events of several keywords come in one batch. */
    untrackAll: (messages: readonly KeywordUntracked[]) =>
      onUntracked(
        messages.map((message) => throughContract(topics['tracking.keyword-untracked.v1'], message)),
      ),

    /** Stores a finished measurement of each keyword and notifies the auditor. */
    async measure(
      keywords: string | readonly string[],
      score: Partial<KeywordScore>,
      ranks: string[] | null = null,
      day = '',
    ) {
      const ranking = ranks && rankingOf(ranks, day || now().toISOString().slice(0, 10));
      for (const keyword of [keywords].flat())
        await auditor.onMeasured(await saveTerm(connection, { keyword, score, ranking, at: now() }));
    },

    /** The same for several keywords that are measured at the same time. */
    async measureAll(keywords: readonly string[], score: Partial<KeywordScore> = {}) {
      const saved = await saveTerms(
        connection,
        keywords.map((keyword) => ({ keyword, score, ranking: null, at: now() })),
      );
      await Promise.all(saved.map((term) => auditor.onMeasured(term)));
    },

    savePageRanks: (keywords: string | readonly string[], ranking: Ranking) =>
      savePageRanks(
        stores,
        [keywords].flat().map((keyword) => ({ storefront: us, keyword, ranking })),
      ),

    /** Stores measurements without notifying the auditor, as if the process had died in between. */
    async measureAndDie(keywords: string | readonly string[], score: Partial<KeywordScore>, ranks: string[]) {
      const ranking = rankingOf(ranks, now().toISOString().slice(0, 10));
      await saveTerms(
        connection,
        [keywords].flat().map((keyword) => ({ keyword, score, ranking, at: now() })),
      );
    },

    /** As an account sees it; null: no account. */
    async health(
      app: TrackedListing,
      includeWords = false,
      accountId: string | null = null,
      { withoutTracked = false } = {},
    ) {
      const given = {
        app,
        include_words: includeWords,
        account_id: accountId,
        without_tracked_terms: withoutTracked,
      };
      const request = throughContract(GetAsoHealthRequest, given);
      const reply = await getAsoHealth({ ...stores, auditor, auditAgain, now }, request, {
        requestId: 'request-1',
      });
      await auditor.settled();
      return throughContract(GetAsoHealthReply, reply);
    },

    /** Keeps the keywords field of an app for an account. */
    async keepField(app: TrackedListing, kwField: string, accountId = 'ann') {
      const given = { account_id: accountId, app, kw_field: kwField };
      const request = throughContract(SetKeywordsFieldRequest, given);
      return throughContract(SetKeywordsFieldReply, await setKeywordsField({ ...stores, now }, request));
    },

    async fieldOf(appId: number, accountId = 'ann') {
      const reply = await getKeywordsField({ keywordsFields }, { account_id: accountId, app_id: appId });
      return throughContract(GetKeywordsFieldReply, reply);
    },

    async removeField(appId: number, accountId = 'ann') {
      const request = { account_id: accountId, app_id: appId };
      return (await deleteKeywordsField({ keywordsFields, now }, request)).already_removed;
    },

    historyRows,

    /** Date, score and rating count of each day. */
    async history(appId: number, from: string, to: string) {
      const rows = await historyRows(appId, from, to);
      return rows.map(({ date, score, ratings }) => [date, score ?? null, ratings ?? null]);
    },

    async listDays(appIds: number[], from: string, to: string) {
      const request = throughContract(ListVisibilityDaysRequest, { app_ids: appIds, from, to });
      const { signal } = new AbortController();
      const reply = await listVisibilityDays({ ...stores, now }, request, { signal });
      return throughContract(ListVisibilityDaysReply, reply).listings;
    },

    async compare(listings: ComparedListing[], signal: AbortSignal = new AbortController().signal) {
      const request = throughContract(CompareVisibilityRequest, { listings });
      const reply = await compareVisibility({ baskets, terms }, request, { signal });
      return throughContract(CompareVisibilityReply, reply).listings;
    },

    /** As an account sees it. */
    async voice(
      app: TrackedListing,
      {
        account_id: accountId = 'ann',
        competitor_app_ids: competitors = [] as string[],
        from = '2026-03-01',
        to = '2026-03-31',
        with_visibility: withVisibility = false,
      } = {},
    ) {
      const asked = { account_id: accountId, app, with_visibility: withVisibility };
      const given = { ...asked, competitor_app_ids: competitors, from, to };
      const request = throughContract(GetShareOfVoiceRequest, given);
      return throughContract(GetShareOfVoiceReply, await getShareOfVoice({ ...stores, now }, request));
    },

    /** The pending events of a topic; per document in the order of writing. */
    async events<T extends Topic>(topic: T) {
      const documents = await audits.model.find({}).sort({ _id: 1 }).lean<{ outbox?: Outbox }[]>();
      const stored = documents.flatMap(({ outbox }) => Object.entries(outbox ?? {}));
      const records = stored.map(([id, { payload, ...event }]) => ({
        id,
        ...event,
        payload: payload.buffer,
      }));
      return messagesOf(records, topic);
    },
  };
}

type Outbox = Record<string, { topic: string; key: string; payload: { buffer: Uint8Array }; at: Date }>;

/** A listing with two words in its title, as tracking publishes it. */
export function trackedListing(
  id: number,
  shown: Partial<Listing> = {},
  { revision = 1, read_at: readAt = '2026-03-10T08:59:00Z' } = {},
): TrackedListing {
  const blank = { title: 'Photo Editor', subtitle: '', description: 'What it does.' };
  return {
    id,
    storefront: us,
    revision,
    read_at: new Date(readAt),
    source: 'sample',
    listing: { ...fakeListing(String(1000 + id)), ...blank, ...shown },
  };
}

/** Five words, the fewest terms that have a visibility. With the same traffic and ranks they have that of one. */
export function fiveOf(word: string): string[] {
  return [word, ...[2, 3, 4, 5].map((number) => `${word}${number}`)];
}

/** The five words as a title or subtitle, in which they form no phrases. Of a word of four letters they fit. */
export function textOfFive(word: string): string {
  return fiveOf(word).join(',');
}

/** The store's app id of `trackedListing`. */
export const appIdOf = (id: number) => String(1000 + id);

type Measured = { keyword: string; score: Partial<KeywordScore>; ranking: Ranking | null; at: Date };

async function saveTerm(connection: Connection, measured: Measured): Promise<Term> {
  const [term] = await saveTerms(connection, [measured]);
  if (!term) throw new Error('the term is not saved');
  return term;
}

/** In one command. */
async function saveTerms(connection: Connection, measured: readonly Measured[]): Promise<Term[]> {
  const ids = measured.map(({ keyword }) => termId(us, keyword));
  const known = await connection
    .model<Term>('Term')
    .find({ _id: { $in: ids } })
    .lean<Term[]>();
  const knownOf = new Map(known.map((term) => [term._id, term]));
  const terms = measured.map(({ keyword, ranking, at, score }): Term => {
    const stored: KeywordScore = {
      scoring_version: scoringVersion,
      scored_at: at,
      traffic: 40,
      difficulty: 30,
      search_status: 'searched',
      difficulty_parts: null,
      traffic_parts: { ...completeParts },
      is_partial: false,
      brand: null,
      suspected_brand: null,
      results: 10,
      genres: null,
      ...score,
    };
    const form = createFormOf(us.lang)(keyword);
    const row = { ...us, keyword, form, is_tracked: false, ranking, reading: blankReading, score: stored };
    const _id = termId(us, keyword);
    const shown = publicPageAfter(knownOf.get(_id) ?? {}, { ranking, score: stored }, at);
    return shown ? { _id, ...row, public_page: shown } : { _id, ...row };
  });
  const $setOnInsert = {
    importance: importances.described,
    failures: 0,
    request_count: 0,
    has_unpublished_scores: false,
  };
  await connection.model('Term').bulkWrite(
    terms.map(({ _id, ...row }) => ({
      updateOne: { filter: { _id }, update: { $set: row, $setOnInsert }, upsert: true },
    })),
  );
  return terms;
}

function rankingOf(appIds: string[], day: string): Ranking {
  return toRanking({ day, read_at: new Date(`${day}T06:00:00Z`), source: 'sample' }, appIds);
}

/** A number per keyword, distinct within a test, as tracking assigns it. */
function keywordId(keyword: string): number {
  return [...keyword].reduce((id, character) => (id * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003, 1);
}
