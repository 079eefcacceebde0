import { startOfDay } from '@shelfwise/runtime/day';
import type { Snapshot } from './snapshot.ts';

/**
 * The snapshots of one keyword in one month as JSON, oldest first. `ids`: each store identifier once. A page has one
 * character per result: from `fromBefore` on, its position among the results of the day before that are left; from
 * `fromIds` on, its position in `ids`.
 */
type PackedMonth = { ids: string[]; days: PackedDay[] };

/** `takenMs`: since midnight of the day. `suspect`: as `is_suspect` of a `Snapshot`; versions that do not know it leave it out. */
type PackedDay = [
  dayOfMonth: string,
  takenMs: number,
  source: string,
  revision: number,
  page: string,
  suspect?: 1,
];

/** The first characters that JSON does not escape. */
const fromBefore = 0x23;
/** Leaves room for a page of 100; the ids of a month stay below the surrogates. */
const fromIds = 0x100;

/** The `day` of a packed month, after its days in the order of texts: `2026-03-all`. */
export const monthKey = (day: string): string => `${day.slice(0, 7)}-all`;
export const isMonthKey = (day: string): boolean => day.endsWith('-all');

/** Packs snapshots of one keyword and month; they must be in the order of their days. */
export function packMonth(snapshots: readonly Snapshot[]): string {
  const indexById = new Map<string, number>();
  let before: readonly string[] = [];
  const days = snapshots.map(({ day, taken_at, source, revision, app_ids, is_suspect }): PackedDay => {
    const page = packPage(app_ids, [...before], indexById);
    before = app_ids;
    const takenMs = taken_at.getTime() - startOfDay(day).getTime();
    const packed: PackedDay = [day.slice(8), takenMs, source, revision, page];
    if (is_suspect) packed.push(1);
    return packed;
  });
  return JSON.stringify({ ids: [...indexById.keys()], days } satisfies PackedMonth);
}

/** The snapshots of a packed month, the oldest first, until a day (YYYY-MM-DD, included). */
export function unpackMonth(key: string, packed: string, lastDay = key): Snapshot[] {
  const { ids, days } = JSON.parse(packed) as PackedMonth;
  const snapshots: Snapshot[] = [];
  let before: readonly string[] = [];
  for (const [dayOfMonth, takenMs, source, revision, page, suspect] of days) {
    const day = key.slice(0, 8) + dayOfMonth;
    if (day > lastDay) break;
    const appIds = unpackPage(page, before, ids);
    const takenAt = new Date(startOfDay(day).getTime() + takenMs);
    const snapshot: Snapshot = { day, taken_at: takenAt, source, app_ids: appIds, revision };
    if (suspect) snapshot.is_suspect = true;
    snapshots.push(snapshot);
    before = appIds;
  }
  return snapshots;
}

function packPage(appIds: readonly string[], left: string[], indexById: Map<string, number>): string {
  const codes = appIds.map((appId) => {
    const position = left.indexOf(appId);
    if (position >= 0 && fromBefore + position < fromIds) {
      left.splice(position, 1);
      return fromBefore + position;
    }
    const index = indexById.get(appId) ?? indexById.size;
    indexById.set(appId, index);
    return fromIds + index;
  });
  return String.fromCharCode(...codes);
}

function unpackPage(page: string, before: readonly string[], ids: readonly string[]): string[] {
  const left = [...before];
  // Most results keep their order: passing the first of `left` is cheaper than removing it.
  let first = 0;
  const appIds: string[] = [];
  for (let index = 0; index < page.length; index += 1) {
    const code = page.charCodeAt(index);
    const position = code - fromBefore;
    const appId =
      code >= fromIds
        ? ids[code - fromIds]
        : position === 0
          ? left[first++]
          : left.splice(first + position, 1)[0];
    appIds.push(appId as string);
  }
  return appIds;
}
