import { slotOfNextDay } from '@shelfwise/runtime/jobs/daily-slot';
import { type Tracking, trackKeywords } from './start-tracking.ts';

type Row = Record<string, unknown>;

/**
 * Tracks new keywords for an app, which is much cheaper than calls: a call tracks the first, and the others are copies of
 * the rows that it writes, without their events. Returns the ids by keyword.
 */
export async function seedKeywords(
  tracking: Tracking,
  accountId: string,
  appId: number,
  keywords: readonly string[],
): Promise<Map<string, number>> {
  const { connection } = tracking;
  const [first = '', ...others] = keywords;
  const ids = await trackKeywords(tracking, accountId, appId, [first]);
  const firstId = ids.get(first) ?? 0;
  for (const [index, keyword] of others.entries()) ids.set(keyword, firstId + 1 + index);

  async function copy(
    collection: string,
    filter: Row,
    change: (id: number, keyword: string, row: Row) => Row,
  ) {
    const stored: Row | null = await connection.collection(collection).findOne(filter as never);
    const { _id, outbox: _events, outbox_since: _since, outbox_last: _last, ...row } = stored ?? {};
    const copies = others.map((keyword) => ({ ...row, ...change(ids.get(keyword) ?? 0, keyword, row) }));
    if (copies.length > 0) await connection.collection(collection).insertMany(copies as never[]);
  }
  await copy('keyword_markets', { _id: firstId }, (_id, keyword, { latest }) => {
    const plannedAt = slotOfNextDay(_id, (latest as { day: string }).day);
    return { _id, keyword, planned_at: plannedAt, due_at: plannedAt };
  });
  await copy('snapshots', { keyword_id: firstId }, (id, _keyword, { day }) => ({
    _id: `${id}:${day}`,
    keyword_id: id,
  }));
  await copy('tracked_keywords', { keyword_id: firstId }, (id, keyword) => ({ keyword_id: id, keyword }));
  await connection
    .collection<{ _id: string }>('counters')
    .updateOne({ _id: 'keyword_market' }, { $inc: { seq: others.length } });
  return ids;
}
