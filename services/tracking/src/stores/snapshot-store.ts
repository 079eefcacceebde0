import { daysBefore, utcDay } from '@shelfwise/runtime/day';
import {
  type NewEvent,
  outboxFields,
  outboxInsert,
  outboxSet,
  published,
} from '@shelfwise/runtime/events/outbox';
import { deleteBatch } from '@shelfwise/runtime/mongo/delete-batch';
import { insertNew } from '@shelfwise/runtime/mongo/insert-new';
import { findFields, streamFields } from '@shelfwise/runtime/mongo/read/find-fields';
import { streamedBatch } from '@shelfwise/runtime/mongo/read/find-in-one-batch';
import { type Connection, Schema } from 'mongoose';
import { nextRevision, type PageOfIds, type Snapshot } from '../domain/snapshot.ts';
import { monthKey, unpackMonth } from '../domain/snapshot-month.ts';
import { createMonthPacking, idOf, type SnapshotDocument, toSnapshot } from './month-packing.ts';

const schema = new Schema<SnapshotDocument>(
  {
    _id: { type: String, required: true },
    keyword_id: { type: Number, required: true },
    day: { type: String, required: true },
    taken_at: { type: Date, required: true },
    source: { type: String, required: true },
    app_ids: { type: [String], required: true },
    revision: { type: Number, required: true },
    is_suspect: { type: Boolean },
    packed: { type: String },
    ...outboxFields,
  },
  { versionKey: false },
)
  .index({ keyword_id: 1, day: 1 })
  .index({ day: 1 })
  .index({ outbox_since: 1 }, { sparse: true });

/** A new snapshot. `toEvent` creates the event of the snapshot as it is saved. */
export type NewSnapshot = { keywordId: number; snapshot: Snapshot; toEvent: (saved: Snapshot) => NewEvent };

/** The result page of a keyword on one day, read only where a rank needs it. */
export type DayPage = Pick<SnapshotDocument, 'keyword_id' | 'day'> & { app_ids: PageOfIds };

/** As read for a list: of a day or of a packed month. */
type PageRow = Pick<DayPage, 'keyword_id' | 'day'> & {
  app_ids?: PageOfIds;
  packed?: string;
  is_suspect?: boolean;
};

const withoutOutbox = { outbox: 0, outbox_since: 0, outbox_last: 0 } as const;

export type SnapshotStore = ReturnType<typeof createSnapshotStore>;

export function createSnapshotStore(connection: Connection) {
  const snapshots = connection.model('Snapshot', schema, 'snapshots');
  const { restoreDays, ...packing } = createMonthPacking(snapshots);
  // Without a projection: the other fields are few bytes (`streamFields`).
  const fields = {
    keyword_id: 'value',
    day: 'value',
    app_ids: 'texts',
    packed: 'value',
    is_suspect: 'value',
  } as const;

  /** Returns the stored snapshot: the new one, unless the stored one stays or another copy was faster. */
  async function replaceDisproved(
    _id: string,
    { stored, snapshot, toEvent }: { stored: Snapshot } & Pick<NewSnapshot, 'snapshot' | 'toEvent'>,
    at: Date,
  ): Promise<Snapshot> {
    const revision = nextRevision(stored, snapshot);
    if (revision === null) return stored;
    const saved = { ...snapshot, revision };
    const { taken_at, source, app_ids, is_suspect } = saved;
    const changes: Partial<Snapshot> = { taken_at, source, app_ids, revision };
    if (is_suspect) changes.is_suspect = is_suspect;
    const { matchedCount } = await snapshots.updateOne(
      { _id, revision: stored.revision },
      { $set: { ...changes, ...outboxSet(toEvent(saved), at) } },
    );
    if (matchedCount === 1) return saved;
    const faster = await snapshots.findById(_id).select(withoutOutbox).lean<SnapshotDocument>();
    return faster ? toSnapshot(faster) : stored;
  }

  /** The pages of a keyword from one day to another (both included), oldest first. */
  async function readDays(keywordId: number, from: string, to: string): Promise<MarkedPage[]> {
    const rows = await findFields<PageRow>(
      snapshots,
      { keyword_id: keywordId, day: { $gte: from, $lte: monthKey(to) } },
      { fields, sort: { day: 1 } },
    );
    const pages = new Map<string, MarkedPage>();
    // In this order, the row of a day comes before its packed month.
    for (const page of rows.flatMap((row) => daysOf(row, from, to)))
      if (!pages.has(page.day)) pages.set(page.day, page);
    return [...pages.values()].sort(byDayAscending);
  }

  return {
    model: snapshots,
    ...packing,

    /**
     * Saves each snapshot with its event in one write, unless the keyword already has a snapshot of that day. A stored
     * empty snapshot is replaced by one with results, with a higher revision. Returns the stored snapshot of each keyword
     * and day, in the order given.
     */
    async saveFirst(added: readonly NewSnapshot[], at: Date): Promise<Snapshot[]> {
      // A past day may be packed, also one of this month.
      const today = utcDay(at);
      const past = added.filter(({ snapshot }) => snapshot.day < today);
      if (past.length > 0)
        await restoreDays(past.map(({ keywordId, snapshot: { day } }) => ({ keywordId, day })));
      const rows = added.map(({ keywordId, snapshot, toEvent }) => ({
        _id: idOf(keywordId, snapshot.day),
        keyword_id: keywordId,
        ...snapshot,
        ...outboxInsert(toEvent(snapshot), at),
      }));
      const existingIds = await insertNew(snapshots.collection, rows);
      if (existingIds.size === 0) return added.map(({ snapshot }) => snapshot);
      const existingRows = await snapshots
        .find({ _id: { $in: [...existingIds] } })
        .select(withoutOutbox)
        .lean<SnapshotDocument[]>();
      const existingById = new Map(existingRows.map((row) => [row._id, toSnapshot(row)]));
      for (const { keywordId, snapshot, toEvent } of added) {
        const _id = idOf(keywordId, snapshot.day);
        const stored = existingById.get(_id);
        if (stored) existingById.set(_id, await replaceDisproved(_id, { stored, snapshot, toEvent }, at));
      }
      return rows.map((row) => existingById.get(row._id) ?? toSnapshot(row));
    },

    /**
     * Deletes a batch of snapshots of days before `day` (YYYY-MM-DD) whose events are published; see `deleteBatch`. A
     * packed month is deleted once its last day is before `day`. The latest snapshot of each keyword is also stored in
     * its keyword market. Index: day.
     */
    deleteBefore: (day: string) => deleteBatch(snapshots, { day: { $lt: day }, ...published }, { day: 1 }),

    /** The ids of the keywords among these that have a snapshot of the day (YYYY-MM-DD). */
    async findTaken(keywordIds: readonly number[], day: string): Promise<Set<number>> {
      const ids = keywordIds.flatMap((id) => idsOn(id, day));
      const rows = await snapshots
        .find({ _id: { $in: ids } })
        .select({ keyword_id: 1, day: 1, packed: 1 })
        .lean<PageRow[]>();
      const taken = rows.filter((row) => daysOf(row, day, day).length > 0);
      return new Set(taken.map((row) => row.keyword_id));
    },

    /**
     * The store identifiers of the newest page before `day` (YYYY-MM-DD) that has results and was not read in a suspect
     * storefront; null: there is none.
     *
     * Cost: one query, and another one per packed month until one has such a page. Index: keyword_id, day.
     */
    async findLastWhole(keywordId: number, day: string): Promise<string[] | null> {
      const last = daysBefore(day, 1);
      for (let days: { $lte: string } | { $lt: string } = { $lte: monthKey(last) }; ; ) {
        const rows: PageRow[] = await findFields<PageRow>(
          snapshots,
          {
            keyword_id: keywordId,
            day: days,
            is_suspect: { $ne: true },
            // No store identifier is an empty text.
            $or: [{ app_ids: { $gt: '' } }, { packed: { $gt: '' } }],
          },
          { fields, sort: { day: -1 }, limit: 1 },
        );
        const row = rows[0];
        if (!row) return null;
        if (row.packed === undefined) {
          if (row.day <= last) return toTexts(row.app_ids ?? []);
          days = { $lte: last };
          continue;
        }
        // A packed month comes behind its days in the index: newer ones may have rows of their own.
        const firstDay: string = `${row.day.slice(0, 7)}-01`;
        const pages = await readDays(keywordId, firstDay, last < row.day ? last : row.day);
        const whole = pages.findLast((page) => page.app_ids.length > 0 && !page.is_suspect);
        if (whole) return toTexts(whole.app_ids);
        days = { $lt: firstDay };
      }
    },

    /** The snapshots of a keyword from one day to another (YYYY-MM-DD, both included), oldest first. */
    listBetween: (keywordId: number, from: string, to: string): Promise<DayPage[]> =>
      readDays(keywordId, from, to),

    /**
     * What `read` returns for each page of the keywords from one day to another (YYYY-MM-DD, both included): by keyword
     * id, then by day. A day without a snapshot is left out.
     *
     * Cost: one query, which reads a row per keyword and day, or per keyword and packed month. The embedded database takes
     * 30 to 75 µs of CPU per page, or 8 to 14 µs from a packed month. Pages are read one after another; only what `read`
     * returns stays in memory. Index: keyword_id, day.
     */
    async readBetween<Value>(
      keywordIds: readonly number[],
      { from, to }: { from: string; to: string },
      read: (appIds: PageOfIds) => Value,
    ): Promise<Map<number, Map<string, Value>>> {
      const values = new Map(keywordIds.map((id) => [id, new Map<string, Value>()]));
      if (values.size === 0) return values;
      const rows = streamFields<PageRow>(snapshots, toFilter([{ ids: [...values.keys()], from, to }]), {
        fields,
        ...streamedBatch,
      });
      for await (const row of rows) {
        const byDay = values.get(row.keyword_id);
        // The row of a day counts more than its packed month.
        for (const page of daysOf(row, from, to))
          if (row.packed === undefined || !byDay?.has(page.day)) byDay?.set(page.day, read(page.app_ids));
      }
      return values;
    },

    /**
     * Calls `visit` with the snapshot of each keyword on its day (YYYY-MM-DD). A keyword without one is skipped.
     *
     * Cost: one query, which reads a snapshot or a packed month per keyword. Index: _id.
     */
    async visitDays(
      dayOf: ReadonlyMap<number, string>,
      visit: (keywordId: number, snapshot: DayPage) => void,
    ): Promise<void> {
      if (dayOf.size === 0) return;
      const rows = streamFields<PageRow>(
        snapshots,
        { _id: { $in: [...dayOf].flatMap(([id, day]) => idsOn(id, day)) } },
        { fields, ...streamedBatch },
      );
      const visited = new Set<number>();
      for await (const row of rows) {
        const day = dayOf.get(row.keyword_id) ?? '';
        const [page] = daysOf(row, day, day);
        // The row of a day counts more than its packed month.
        if (!page || (row.packed !== undefined && visited.has(row.keyword_id))) continue;
        visited.add(row.keyword_id);
        visit(row.keyword_id, page);
      }
    },

    /**
     * Calls `visit` with the newest snapshot of each keyword from `oldestDay` until its day in `upTo` (YYYY-MM-DD, both
     * included). May call it with older ones before. A keyword without a snapshot in between is skipped.
     *
     * Cost: one query, which reads one snapshot or packed month per keyword. If some keywords have none of exactly that
     * day, further queries look back twice as far each: 9 queries in all for 400 days. They read fewer than twice as
     * many snapshots as days were missed, one after another, so that many need little memory. Index: _id; of further queries
     * keyword_id, day.
     */
    async visitNewest(
      upTo: ReadonlyMap<number, string>,
      oldestDay: string,
      visit: (keywordId: number, snapshot: DayPage) => void,
    ): Promise<void> {
      const newest = new Map<number, string>();
      const idsByDay = groupByDay(upTo);
      for (let skippedDays = 0, nextDays = 1; ; skippedDays = nextDays, nextDays = 2 * nextDays + 1) {
        // Without the days that were read before.
        const windows = new Map<string, Window>();
        for (const [day, ids] of idsByDay) {
          const to = daysBefore(day, skippedDays);
          const pending = to < oldestDay ? [] : ids.filter((id) => !newest.has(id));
          const first = daysBefore(day, nextDays - 1);
          if (pending.length > 0)
            windows.set(day, { ids: pending, from: first < oldestDay ? oldestDay : first, to });
        }
        if (windows.size === 0) return;
        const rows = streamFields<PageRow>(snapshots, toFilter([...windows.values()]), {
          fields,
          ...streamedBatch,
        });
        for await (const row of rows) {
          const { keyword_id: keywordId } = row;
          const { from = '', to = '' } = windows.get(upTo.get(keywordId) ?? '') ?? {};
          const page = daysOf(row, from, to).at(-1);
          const newestDay = newest.get(keywordId) ?? '';
          // The row of a day counts more than its packed month.
          if (!page || page.day < newestDay || (row.packed !== undefined && page.day === newestDay)) continue;
          newest.set(keywordId, page.day);
          visit(keywordId, page);
        }
      }
    },
  };
}

/** The days from one to another, both included, of some keywords. */
type Window = { ids: number[]; from: string; to: string };

function groupByDay(dayOf: ReadonlyMap<number, string>): Map<string, number[]> {
  const idsByDay = new Map<string, number[]>();
  for (const [id, day] of dayOf) {
    const ids = idsByDay.get(day);
    if (ids) ids.push(id);
    else idsByDay.set(day, [id]);
  }
  return idsByDay;
}

/** An `$or` of one branch would make a database look for its duplicates. */
function toFilter(windows: readonly Window[]): object {
  const branches = windows.flatMap(toBranches);
  const [first] = branches;
  return first && branches.length === 1 ? first : { $or: branches };
}

/** The days of a window with the packed months between them, and the packed month of the last day. One day is read by its ids. */
function toBranches({ ids, from, to }: Window): object[] {
  if (from === to) return [{ _id: { $in: ids.flatMap((id) => idsOn(id, to)) } }];
  const keywords = { keyword_id: { $in: ids } };
  return [
    { ...keywords, day: { $gte: from, $lte: to } },
    { ...keywords, day: monthKey(to) },
  ];
}

/** Of the row of a day, and of its packed month. */
function idsOn(keywordId: number, day: string): string[] {
  return [idOf(keywordId, day), idOf(keywordId, monthKey(day))];
}

/** `is_suspect`: as of a `Snapshot`. */
type MarkedPage = DayPage & { is_suspect: boolean };

/** The pages of a row from one day to another (both included), oldest first. */
function daysOf(
  { keyword_id, day, app_ids, packed, is_suspect }: PageRow,
  from: string,
  to: string,
): MarkedPage[] {
  const days =
    packed === undefined ? [{ day, app_ids: app_ids ?? [], is_suspect }] : unpackMonth(day, packed, to);
  return days
    .filter((page) => page.day >= from && page.day <= to)
    .map((page) => ({
      keyword_id,
      day: page.day,
      app_ids: page.app_ids,
      is_suspect: page.is_suspect === true,
    }));
}

function toTexts(appIds: PageOfIds): string[] {
  return Array.from({ length: appIds.length }, (_, index) => appIds.at(index) ?? '');
}

function byDayAscending(one: { day: string }, other: { day: string }): number {
  return one.day < other.day ? -1 : 1;
}
