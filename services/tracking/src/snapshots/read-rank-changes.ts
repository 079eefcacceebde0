import { daysBefore } from '@shelfwise/runtime/day';
import { type RankOnDay, toRankOnDay } from '../domain/movers.ts';
import type { KeywordMarketStore } from '../stores/keyword-market-store.ts';
import type { SnapshotStore } from '../stores/snapshot-store.ts';

/** A tracked keyword; several apps may track the same one. */
type Row = { keyword_id: number };

/** In the latest snapshot; `first_day`: no snapshot of the keyword is older; absent: not known. */
type LatestRank = RankOnDay & { first_day?: string | undefined };

/** The keyword's traffic, 0 to 100; null: not measured. `is_partial`: it was computed without the store's suggestions. */
type Traffic = { traffic: number | null; is_partial: boolean };

/** The store identifier of the app whose rank a row has. */
type AppIdOf<AnyRow> = (row: AnyRow) => string;

/**
 * The rank of each row's app in the latest snapshot of its keyword, with the traffic; rows without a snapshot are left out. Cost: one
 * query.
 */
export async function readLatestRanks<AnyRow extends Row>(
  { keywordMarkets }: { keywordMarkets: Pick<KeywordMarketStore, 'streamLatest'> },
  rows: readonly AnyRow[],
  appIdOf: AppIdOf<AnyRow>,
  signal: AbortSignal,
): Promise<Map<AnyRow, LatestRank & Traffic>> {
  const rowsByKeyword = groupByKeyword(rows);
  const ranks = new Map<AnyRow, LatestRank & Traffic>();
  const markets = keywordMarkets.streamLatest([...rowsByKeyword.keys()]);
  for await (const { _id, first_day, latest, scores } of markets) {
    signal.throwIfAborted();
    if (latest)
      for (const row of rowsByKeyword.get(_id) ?? [])
        ranks.set(row, {
          ...toRankOnDay(latest, appIdOf(row)),
          first_day,
          traffic: scores?.traffic ?? null,
          is_partial: scores?.is_partial ?? false,
        });
  }
  return ranks;
}

/**
 * The rank of each row's app in the newest snapshot that is at least `days` days older than the latest one, and not
 * before `oldestDay`. Rows without such a snapshot are left out. Cost: one query, up to 8 more when days were missed
 * (`visitNewest`), and nothing of keywords whose first snapshot is newer.
 */
export async function readEarlierRanks<AnyRow extends Row>(
  { snapshots }: { snapshots: Pick<SnapshotStore, 'visitNewest'> },
  latest: ReadonlyMap<AnyRow, LatestRank>,
  appIdOf: AppIdOf<AnyRow>,
  { days, oldestDay, signal }: { days: number; oldestDay: string; signal: AbortSignal },
): Promise<Map<AnyRow, RankOnDay>> {
  const rowsByKeyword = groupByKeyword([...latest.keys()]);
  const upTo = new Map<number, string>();
  // Most of the latest snapshots are of one day.
  const lastDays = new Map<string, string>();
  for (const [{ keyword_id: id }, { day, first_day: firstDay = '' }] of latest) {
    const lastDay = lastDays.get(day) ?? daysBefore(day, days);
    lastDays.set(day, lastDay);
    if (lastDay >= firstDay) upTo.set(id, lastDay);
  }
  const ranks = new Map<AnyRow, RankOnDay>();
  await snapshots.visitNewest(upTo, oldestDay, (keywordId, snapshot) => {
    signal.throwIfAborted();
    for (const row of rowsByKeyword.get(keywordId) ?? []) ranks.set(row, toRankOnDay(snapshot, appIdOf(row)));
  });
  return ranks;
}

function groupByKeyword<AnyRow extends Row>(rows: readonly AnyRow[]): Map<number, AnyRow[]> {
  const groups = new Map<number, AnyRow[]>();
  for (const row of rows) {
    const group = groups.get(row.keyword_id);
    if (group) group.push(row);
    else groups.set(row.keyword_id, [row]);
  }
  return groups;
}
