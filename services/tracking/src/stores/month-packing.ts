import { published } from '@shelfwise/runtime/events/outbox';
import { bulkWriteInChunks } from '@shelfwise/runtime/mongo/bulk-write-in-chunks';
import { insertNew } from '@shelfwise/runtime/mongo/insert-new';
import type { Model } from 'mongoose';
import type { Snapshot } from '../domain/snapshot.ts';
import { isMonthKey, monthKey, packMonth, unpackMonth } from '../domain/snapshot-month.ts';

/** The history of result pages: one row per keyword and day; `_id` is `<keyword id>:<day>`. */
export type SnapshotDocument = Snapshot & { _id: string; keyword_id: number; packed?: string };

/**
 * Past days of a month in one row; its `day` is a `monthKey`, and `revision` counts its changes. A day may also have
 * a row of its own: then that one counts.
 */
type MonthRow = Pick<SnapshotDocument, '_id' | 'keyword_id' | 'day' | 'revision'> & { packed: string };

/** As stored: of a day or of a month. */
type Row = SnapshotDocument & { outbox_since?: Date | null };

/** TypeScript cannot compare whole models. */
type Snapshots = Pick<
  Model<SnapshotDocument>,
  'find' | 'findOne' | 'updateOne' | 'collection' | 'castObject'
>;

/** A row of a day that is also in its packed month. */
export type PackedDay = Pick<SnapshotDocument, '_id' | 'revision'>;

/** Reading their months takes a few milliseconds. */
const keywordsPerCommand = 20;

/** Replaces the rows of past days by one row per keyword and month. Lists know both (`SnapshotStore`). */
export function createMonthPacking(snapshots: Snapshots) {
  /** The first day before `openDay` with a row whose event is published. Passes the packed months one by one. */
  async function findOldestDay(openDay: string): Promise<string | null> {
    for (let after = ''; ; ) {
      const first = await snapshots
        .findOne({ day: { $gt: after, $lt: openDay }, ...published })
        .sort({ day: 1 })
        .select({ day: 1 })
        .lean<Pick<Row, 'day'>>();
      if (!first || !isMonthKey(first.day)) return first?.day ?? null;
      after = first.day;
    }
  }

  /** Packs the days of the month of `day` before `openDay` for some keywords. Returns the rows of these days. */
  async function pack(day: string, openDay: string, keywordIds: readonly number[]): Promise<PackedDay[]> {
    const key = monthKey(day);
    const rows = await snapshots
      .find({ keyword_id: { $in: keywordIds }, day: { $gte: day.slice(0, 7), $lte: key } })
      .select({ outbox: 0 })
      .lean<Row[]>();
    const months = keywordIds.map((id) => toMonth(id, { key, openDay }, rows));
    const added = months.filter(({ stored }) => !stored).map(({ row }) => row);
    const lostIds = await insertNew(snapshots.collection, added);
    for (const { row, stored } of months) {
      if (!stored || stored.packed === row.packed) continue;
      const { _id, revision, packed } = row;
      const isUnchanged = { _id, revision: stored.revision };
      const { matchedCount } = await snapshots.updateOne(isUnchanged, { $set: { revision, packed } });
      if (matchedCount === 0) lostIds.add(_id);
    }
    return months.flatMap(({ row, days }) => (lostIds.has(row._id) ? [] : days));
  }

  return {
    /**
     * Packs the days before `openDay` (YYYY-MM-DD) of the oldest month in which such days have rows whose events are published, for
     * up to `limit` keywords. Returns the rows of these days, for `deletePacked`; null when there is none. Several copies may
     * do so at the same time: only one of them gets the days of a month that both change. Index: day; keyword_id, day.
     */
    async packSome(openDay: string, limit: number): Promise<PackedDay[] | null> {
      const day = await findOldestDay(openDay);
      if (day === null) return null;
      const unpacked = await snapshots
        .find({ day: { $gte: day, $lt: openDay < monthKey(day) ? openDay : monthKey(day) }, ...published })
        .sort({ day: 1 })
        .limit(limit)
        .select({ keyword_id: 1 })
        .lean<Pick<Row, 'keyword_id'>[]>();
      const ids = [...new Set(unpacked.map((row) => row.keyword_id))];
      const days: PackedDay[] = [];
      for (let start = 0; start < ids.length; start += keywordsPerCommand)
        days.push(...(await pack(day, openDay, ids.slice(start, start + keywordsPerCommand))));
      return days;
    },

    /**
     * Deletes the rows of packed days that have not changed since. To be called when all reads and writes have ended that
     * began before `packSome`: they could miss both the month and the day.
     */
    async deletePacked(days: readonly PackedDay[]): Promise<void> {
      await bulkWriteInChunks(
        snapshots,
        days.map(({ _id, revision }) => ({ deleteOne: { filter: { _id, revision, ...published } } })),
      );
    },

    /** Days of packed months get rows again, to be compared and replaced like others. */
    async restoreDays(days: readonly { keywordId: number; day: string }[]): Promise<void> {
      const monthIds = new Set(days.map(({ keywordId, day }) => idOf(keywordId, monthKey(day))));
      const months = await snapshots.find({ _id: { $in: [...monthIds] } }).lean<MonthRow[]>();
      const monthById = new Map(months.map((month) => [month._id, month]));
      const rows = days.flatMap(({ keywordId, day }) => {
        const month = monthById.get(idOf(keywordId, monthKey(day)));
        const stored = month && unpackMonth(month.day, month.packed, day).at(-1);
        return stored?.day === day ? [{ _id: idOf(keywordId, day), keyword_id: keywordId, ...stored }] : [];
      });
      await insertNew(snapshots.collection, rows);
    },
  };
}

/** The month of a keyword with the published rows of its days before `openDay` among `rows`, and the stored month. */
function toMonth(
  keywordId: number,
  { key, openDay }: { key: string; openDay: string },
  rows: readonly Row[],
) {
  const ofKeyword = rows.filter((row) => row.keyword_id === keywordId);
  const stored = ofKeyword.find((row): row is Row & MonthRow => row.day === key);
  const published = ofKeyword.filter((row) => row !== stored && row.day < openDay && !row.outbox_since);
  const snapshots = stored ? unpackMonth(key, stored.packed) : [];
  const byDay = new Map([...snapshots, ...published.map(toSnapshot)].map((one) => [one.day, one]));
  const packed = packMonth([...byDay.values()].sort((one, other) => (one.day < other.day ? -1 : 1)));
  const revision = (stored?.revision ?? 0) + 1;
  const row: MonthRow = { _id: idOf(keywordId, key), keyword_id: keywordId, day: key, revision, packed };
  const days: PackedDay[] = published.map(({ _id, revision }) => ({ _id, revision }));
  return { row, stored, days };
}

export function toSnapshot({ day, taken_at, source, app_ids, revision, is_suspect }: Snapshot): Snapshot {
  const snapshot: Snapshot = { day, taken_at, source, app_ids, revision };
  if (is_suspect) snapshot.is_suspect = true;
  return snapshot;
}

/** @param day a day or a `monthKey` */
export function idOf(keywordId: number, day: string): string {
  return `${keywordId}:${day}`;
}
