import { type Storefront, storefrontKey } from '@shelfwise/facts/stores/storefront';
import { createBatches } from '@shelfwise/runtime/concurrency/batches';
import { type NewEvent, outboxSet } from '@shelfwise/runtime/events/outbox';
import { endClaim } from '@shelfwise/runtime/jobs/job-queue';
import { bulkWriteInChunks } from '@shelfwise/runtime/mongo/bulk-write-in-chunks';
import { insertNew } from '@shelfwise/runtime/mongo/insert-new';
import { retryUpsert } from '@shelfwise/runtime/mongo/retry-upsert';
import type { Connection } from 'mongoose';
import type { TermScore } from '../domain/audit/audit-input.ts';
import type { PageApp } from '../domain/keyword/keyword-reading.ts';
import { importances } from '../domain/term-schedule.ts';
import { neverMeasured, newTerm } from './new-term.ts';
import type { MeasuringRequest, Ranking, Term } from './term.ts';
import { termId } from './term-filters.ts';
import {
  type PagelessScore,
  type ShownPage,
  scoreFields,
  shownPageFields,
  type TermSummary,
  type TermWithPage,
  termScoreFields,
  termSummaryFields,
  termWithPageFields,
  toTermScore,
  toTermSummary,
  toTermWithPage,
} from './term-projections.ts';
import { mergeRequests, scheduleFields, type TermUpdate, updatesForRequests } from './term-requests.ts';
import { type TermDocument, termSchema } from './term-schema.ts';
import { type SnapshotOfTerm, toSnapshotUpdates } from './term-snapshots.ts';

/** The largest result, of rankings, is then about 1 MB. */
const termsPerQuery = 400;

/** The most terms that measurements read together: some 300 KB. */
const termsPerFind = 50;

/** A term that an account has started to track. */
export type NewlyTracked = {
  storefront: Storefront;
  keyword: string;
  trackedAt: Date;
  isDue: boolean;
  event: NewEvent | null;
};

const withoutOutbox = { outbox: 0, outbox_since: 0, outbox_last: 0 } as const;

export type TermStore = ReturnType<typeof createTermStore>;

/**
 * Every keyword that was ever measured, requested or tracked: one document of about 7 KB each, found by its id.
 * Keywords are passed in normal form. Terms are never deleted; a term that is no longer requested is not read from
 * the store again.
 */
export function createTermStore(connection: Connection) {
  const terms = connection.model('Term', termSchema, 'terms');

  /** By keyword, 400 per query. Index: _id. */
  async function findMany<Row extends { _id: string }>(
    storefront: Storefront,
    keywords: readonly string[],
    fields: Record<string, 0 | 1>,
  ): Promise<Map<string, Row>> {
    const byKeyword = new Map<string, Row>();
    const distinct = [...new Set(keywords)];
    for (let start = 0; start < distinct.length; start += termsPerQuery) {
      const ids = distinct.slice(start, start + termsPerQuery).map((keyword) => termId(storefront, keyword));
      const rows = await terms
        .find({ _id: { $in: ids } })
        .select(fields)
        .lean<Row[]>();
      for (const row of rows) byKeyword.set(row._id.slice(storefrontKey(storefront).length + 1), row);
    }
    return byKeyword;
  }

  const writeUpdates = (updates: readonly TermUpdate[]) =>
    bulkWriteInChunks(
      terms,
      updates.map((updateOne) => ({ updateOne })),
    );

  /** Measurements that run at the same time read their terms together. */
  const findTogether = createBatches<string, TermDocument | null>({
    maxItems: termsPerFind,
    async run(ids) {
      const rows = await terms
        .find({ _id: { $in: ids } })
        .select(withoutOutbox)
        .lean<TermDocument[]>();
      const byId = new Map(rows.map((row) => [row._id, row]));
      return ids.map((id) => byId.get(id) ?? null);
    },
  });

  return {
    model: terms,

    /** Finds that are called at the same time share one query. Index: _id. */
    find: (storefront: Storefront, keyword: string) => findTogether(termId(storefront, keyword)),

    /** The newest rankings by keyword; terms without one are missing. Some 2 KB each. */
    async findRankings(storefront: Storefront, keywords: readonly string[]): Promise<Map<string, Ranking>> {
      const rows = await findMany<{ _id: string; ranking?: Ranking | null }>(storefront, keywords, {
        ranking: 1,
      });
      return new Map(
        [...rows].flatMap(([keyword, { ranking }]) => (ranking ? [[keyword, ranking] as const] : [])),
      );
    },

    /** What a draft needs from terms, by keyword; terms without a score are missing. Some 2 KB each. */
    async findSummaries(
      storefront: Storefront,
      keywords: readonly string[],
    ): Promise<Map<string, TermSummary>> {
      const rows = await findMany<Pick<Term, '_id' | 'score' | 'reading' | 'ranking'>>(
        storefront,
        keywords,
        termSummaryFields,
      );
      return new Map(
        [...rows].flatMap(([keyword, row]) => {
          const summary = toTermSummary(row);
          return summary ? [[keyword, summary] as const] : [];
        }),
      );
    },

    /** Scores and result pages by keyword; terms without a score or a page are missing. Some 5 KB each. */
    async findPages(storefront: Storefront, keywords: readonly string[]): Promise<Map<string, TermWithPage>> {
      const rows = await findMany<Pick<Term, '_id' | 'score' | 'reading'>>(
        storefront,
        keywords,
        termWithPageFields,
      );
      return new Map(
        [...rows].flatMap(([keyword, row]) => {
          const term = toTermWithPage(row);
          return term ? [[keyword, term] as const] : [];
        }),
      );
    },

    /**
     * The title and icon of each app among the first 20 of the terms' newest result pages, by store identifier; of an app on
     * several pages, those that were read last. Null: the store does not say. Some 4 KB each term.
     */
    async findShownApps(
      storefront: Storefront,
      keywords: readonly string[],
    ): Promise<Map<string, Pick<PageApp, 'title' | 'icon'>>> {
      const rows = await findMany<{ _id: string; reading?: { page?: ShownPage | null } }>(
        storefront,
        keywords,
        shownPageFields,
      );
      return new Map(
        [...rows.values()]
          .flatMap(({ reading }) => reading?.page ?? [])
          .sort((a, b) => a.read_at.getTime() - b.read_at.getTime())
          .flatMap(({ apps }) => apps.map(({ app_id: id, title, icon }) => [id, { title, icon }] as const)),
      );
    },

    /** Scores without pages, by keyword; terms without a score are missing. Some 100 bytes each. */
    async findScores(
      storefront: Storefront,
      keywords: readonly string[],
    ): Promise<Map<string, PagelessScore>> {
      const rows = await findMany<{ _id: string; score?: PagelessScore | null }>(
        storefront,
        keywords,
        scoreFields,
      );
      return new Map([...rows].flatMap(([keyword, { score }]) => (score ? [[keyword, score] as const] : [])));
    },

    /**
     * The same of terms scored since a given time; `open`: those that were public since then, with the scores of their public pages.
     * All others tell that an account has them measured.
     */
    async findKnownScores(
      storefront: Storefront,
      keywords: readonly string[],
      since: Date,
    ): Promise<Record<'all' | 'open', Map<string, PagelessScore>>> {
      type Row = Pick<Term, '_id' | 'public_until' | 'public_page'> & { score?: PagelessScore | null };
      const rows = await findMany<Row>(storefront, keywords, {
        ...scoreFields,
        public_until: 1,
        'public_page.score': 1,
      });
      const known = { all: new Map<string, PagelessScore>(), open: new Map<string, PagelessScore>() };
      for (const [keyword, { score, public_until: publicUntil, public_page: page }] of rows) {
        if (score?.scored_at && score.scored_at > since) known.all.set(keyword, score);
        const isOpen = publicUntil && publicUntil >= since && page && page.score.scored_at > since;
        if (isOpen) known.open.set(keyword, page.score);
      }
      return known;
    },

    /** What an audit needs from terms, by keyword; terms without a score are missing. Some 2 KB each. */
    async findAuditTerms(
      storefront: Storefront,
      keywords: readonly string[],
    ): Promise<Map<string, TermScore>> {
      const rows = await findMany<Pick<Term, '_id' | 'score' | 'ranking' | 'reading'>>(
        storefront,
        keywords,
        termScoreFields,
      );
      return new Map(
        [...rows].flatMap(([keyword, row]) => {
          const score = toTermScore(row);
          return score ? [[keyword, score] as const] : [];
        }),
      );
    },

    /**
     * The kept rankings that have an app, of terms with one of these forms, other than `keywords`, at most 400; by form. Index:
     * store, country, lang, form. Some 2 KB each. A word has any number of forms (`!habit`), and few have the app.
     */
    async findFormPages(
      { store, country, lang }: Storefront,
      { keywords, forms, appId }: { keywords: readonly string[]; forms: readonly string[]; appId: string },
    ): Promise<{ form: string; ranking: Ranking }[]> {
      if (forms.length === 0) return [];
      const rows = await terms
        .find({
          store,
          country,
          lang,
          form: { $in: forms },
          keyword: { $nin: keywords },
          'ranking.app_ids': appId,
        })
        .sort({ _id: 1 })
        .limit(termsPerQuery)
        .select({ form: 1, ranking: 1 })
        .lean<{ form: string; ranking?: Ranking | null }[]>();
      return rows.flatMap(({ form, ranking }) => (ranking ? [{ form, ranking }] : []));
    },

    /**
     * The terms that are public at some time since a given one, on whose public page an app is among the first 30: searched, no
     * brand, scored since then. At most `limit`, most traffic first. Index: store, country, lang, public_page.first_ids.
     */
    async findPublicTerms(
      { store, country, lang }: Storefront,
      appId: string,
      { since, limit }: { since: Date; limit: number },
    ): Promise<string[]> {
      const rows = await terms
        .find({
          store,
          country,
          lang,
          'public_page.first_ids': appId,
          public_until: { $gte: since },
          'public_page.score.search_status': 'searched',
          'public_page.score.brand': null,
          'public_page.score.scored_at': { $gte: since },
        })
        .sort({ 'public_page.score.traffic': -1, keyword: 1 })
        .limit(limit)
        .select({ keyword: 1 })
        .lean<{ keyword: string }[]>();
      return rows.map(({ keyword }) => keyword);
    },

    /**
     * Requests the terms until a given time. New terms are due now, a millisecond apart, so that they keep the order of the
     * request. All others are due when their readings are too old. Terms that are already requested for nearly as long are only
     * read: 600 terms take two queries (index: _id), and writes for what is new. Returns whether a term may be due earlier now.
     */
    async requestMeasuring(
      storefront: Storefront,
      requests: readonly MeasuringRequest[],
      until: Date,
      at: Date,
    ): Promise<boolean> {
      const merged = mergeRequests(requests);
      const readSchedules = (batch: readonly MeasuringRequest[]) =>
        findMany<TermDocument>(
          storefront,
          batch.map((request) => request.keyword),
          scheduleFields,
        );
      const known = await readSchedules(merged);
      const unknown = merged.filter(({ keyword }) => !known.has(keyword));
      const existing = await insertNew(
        terms.collection,
        unknown.map((request, index) =>
          newTerm(storefront, request, until, new Date(at.getTime() - (unknown.length - 1 - index))),
        ),
      );
      // Terms that another copy created in between.
      const createdMeanwhile = await readSchedules(
        unknown.filter(({ keyword }) => existing.has(termId(storefront, keyword))),
      );
      const updates = updatesForRequests({
        requests: merged,
        known: new Map([...known, ...createdMeanwhile]),
        until,
        at,
      });
      await writeUpdates(updates);
      return unknown.length + updates.length > 0;
    },

    /**
     * Accounts started to track terms. `isDue`: the term is due immediately, before all others. Its scores then count as
     * unpublished, because a measurement that runs at the same time does not know that it is tracked. `event` publishes the stored
     * scores; null: there are none, or tracking shows them. Index: _id; one command, none for terms with neither.
     */
    async track(tracked: readonly NewlyTracked[], at: Date): Promise<void> {
      const updates = tracked.flatMap(({ storefront, keyword, trackedAt, isDue, event }) => {
        const published = event && outboxSet(event, at);
        const filter = { _id: termId(storefront, keyword) };
        if (!isDue) return published ? [{ updateOne: { filter, update: { $set: published } } }] : [];
        const update = {
          $set: {
            is_tracked: true,
            importance: importances.tracked,
            due_at: at,
            failures: 0,
            has_unpublished_scores: true,
            ...published,
          },
          $max: { tracked_at: trackedAt },
          $inc: { request_count: 1 },
          $unset: endClaim,
          $setOnInsert: { ...storefront, keyword, ranking: null, ...neverMeasured },
        };
        return [{ updateOne: { filter, update, upsert: true } }];
      });
      await retryUpsert(() => bulkWriteInChunks(terms, updates));
    },

    /** The day and size of the result page that each term was measured with, by id; terms without one are missing. */
    async findMeasuredPages(ids: readonly string[]): Promise<Map<string, { day: string; size: number }>> {
      const rows = await terms
        .find({ _id: { $in: ids } })
        .select({ 'reading.page.day': 1, 'reading.page.size': 1 })
        .lean<{ _id: string; reading?: { page?: { day: string; size: number } | null } }[]>();
      return new Map(
        rows.flatMap(({ _id, reading }) => (reading?.page ? [[_id, reading.page] as const] : [])),
      );
    },

    /** The page of the term is unproven. False when that was known. Index: _id. */
    async setUnproven(id: string): Promise<boolean> {
      const { matchedCount } = await terms.updateOne(
        { _id: id, has_unproven_page: { $ne: true } },
        { $set: { has_unproven_page: true } },
      );
      return matchedCount === 1;
    },

    /**
     * Saves snapshots of different tracked keywords and creates the terms that do not exist. A snapshot replaces an older
     * ranking, and one of the same day unless that has a higher revision, or results where the snapshot has none. Index: _id;
     * one update of each term, and another one when a term is new or has a newer ranking.
     */
    async saveSnapshots(snapshots: readonly SnapshotOfTerm[], at: Date): Promise<void> {
      const updates = snapshots.map((snapshot) => toSnapshotUpdates(snapshot, at));
      const { matchedCount } = await bulkWriteInChunks(
        terms,
        updates.map(({ withRanking }) => ({ updateOne: withRanking })),
      );
      if (matchedCount === snapshots.length) return;
      // Which ones matched is not known; a repeated update changes nothing but `request_count`.
      await retryUpsert(() =>
        bulkWriteInChunks(
          terms,
          updates.map(({ withoutRanking }) => ({ updateOne: withoutRanking })),
        ),
      );
    },
  };
}
