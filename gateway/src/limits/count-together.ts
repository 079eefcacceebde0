import { createBatches } from '@shelfwise/runtime/concurrency/batches';
import { mongo } from 'mongoose';
import {
  type CounterName,
  counterNames,
  type MonthUsage,
  toDocumentId,
  type UsageDocument,
  type UsageModel,
} from './usage-model.ts';

/** A use that the month's cap may refuse. `cap` is at least 1; null: there is none. */
export type CappedUse = { accountId: string; month: string; counter: CounterName; cap: number | null };

/** One update: uses of one counter, counted all or none. */
type Group = CappedUse & { size: number };

type Update = mongo.AnyBulkWriteOperation<UsageDocument>;

/** FerretDB on SQLite stops for good at about a hundred updates in one command. */
const maxUsesPerWrite = 50;
const duplicateKeyCode = 11000;

/**
 * Counts uses that are in flight at the same time with one write. The answer to each waits for the write that has it.
 * Uses of one account and counter are one conditional update, which counts all of them or none.
 *
 * The returned function says whether the use is counted. False: the cap leaves no room for all uses of its update, or
 * another gateway has just created the document. The document exists then, and each use can be tried alone.
 */
export function createCountTogether(model: UsageModel): (use: CappedUse) => Promise<boolean> {
  // Not the model: it would cast every field again.
  const collection = model.db.collection<UsageDocument>(model.collection.name);
  let updatesPerCommand: number | null = null;

  async function countAll(uses: CappedUse[]): Promise<boolean[]> {
    const groups: Group[] = [];
    const groupOfUse = uses.map((use) => joinGroup(groups, use));
    const counted = new Set<Group>();
    updatesPerCommand ??= await readUpdatesPerCommand(model);
    for (let start = 0; start < groups.length; start += updatesPerCommand) {
      const chunk = groups.slice(start, start + updatesPerCommand);
      const refused = await write(chunk);
      for (const [index, group] of chunk.entries()) if (!refused.has(index)) counted.add(group);
    }
    return groupOfUse.map((group) => group !== null && counted.has(group));
  }

  /**
   * Returns the positions of the refused updates. An update at the cap misses its document, so that the upsert fails with a
   * duplicate id. The reply names such errors one by one, but only the sum of the counted ones.
   */
  async function write(groups: readonly Group[]): Promise<ReadonlySet<number>> {
    try {
      await collection.bulkWrite(groups.map(toUpdate), { ordered: false });
      return new Set();
    } catch (error) {
      if (!(error instanceof mongo.MongoBulkWriteError)) throw error;
      const writeErrors = [error.writeErrors].flat();
      const isRefusal = writeErrors.length > 0 && writeErrors.every(({ code }) => code === duplicateKeyCode);
      if (!isRefusal || error.result.getWriteConcernError()) throw error;
      const reported = error.matchedCount + error.upsertedCount + writeErrors.length;
      // Without a report on every update it is not known which of several are counted.
      if (groups.length > 1 && reported !== groups.length) throw error;
      return new Set(writeErrors.map(({ index }) => index));
    }
  }

  return createBatches({ run: countAll, maxItems: maxUsesPerWrite });
}

/** FerretDB 1 stops at the first refused update and reports nothing else: each update is a command of its own. */
async function readUpdatesPerCommand({ db }: UsageModel): Promise<number> {
  const buildInfo = await db.db?.admin().buildInfo();
  return buildInfo && !('ferretdbVersion' in buildInfo) ? maxUsesPerWrite : 1;
}

/** The group of the use; null when the group is as large as the cap. */
function joinGroup(groups: Group[], use: CappedUse): Group | null {
  const { accountId, month, counter, cap } = use;
  const isOwn = (group: Group) =>
    group.accountId === accountId && group.month === month && group.counter === counter && group.cap === cap;
  const group = groups.find(isOwn);
  if (!group) {
    const created = { accountId, month, counter, cap, size: 1 };
    groups.push(created);
    return created;
  }
  // The upsert of a larger group would create a document above the cap.
  if (cap !== null && group.size >= cap) return null;
  group.size++;
  return group;
}

function toUpdate({ accountId, month, counter, cap, size }: Group): Update {
  const _id = toDocumentId(accountId, month);
  const $setOnInsert = { account_id: accountId, month, ...otherCountersAtZero(counter) };
  const update = { $inc: { [counter]: size }, $setOnInsert };
  const filter = cap === null ? { _id } : { _id, [counter]: { $lte: cap - size } };
  return { updateOne: { filter, update, upsert: true } };
}

/** A new document has every counter, because a comparison does not match a missing field. */
function otherCountersAtZero(counter: CounterName): Partial<MonthUsage> {
  return Object.fromEntries(counterNames.filter((name) => name !== counter).map((name) => [name, 0]));
}
