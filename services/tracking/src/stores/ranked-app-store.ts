import { type Connection, Schema } from 'mongoose';
import type { RankedApp } from '../domain/snapshot.ts';
import { type Storefront, storefrontKey } from '../domain/storefront.ts';
import { oneBatch } from './one-batch.ts';
import { retryUpsert } from './retry-upsert.ts';
import { updatesPerCommand } from './updates-per-command.ts';

/** `_id` is the storefront and the store identifier. */
type RankedAppDocument = { _id: string; title: string; icon: string };

const schema = new Schema<RankedAppDocument>(
  { _id: { type: String, required: true }, title: { type: String }, icon: { type: String } },
  { versionKey: false },
);

export type RankedAppStore = ReturnType<typeof createRankedAppStore>;

/** What result rows show of apps, kept once however many snapshots name them. */
export function createRankedAppStore(connection: Connection) {
  const rankedApps = connection.model('RankedApp', schema, 'ranked_apps');
  const read = (ids: readonly string[]) =>
    rankedApps
      .find({ _id: { $in: ids } })
      .batchSize(oneBatch(ids.length))
      .lean<RankedAppDocument[]>();

  return {
    /** By store identifier; an app that no snapshot of the storefront names is not in the answer. */
    async findMany(storefront: Storefront, appIds: readonly string[]): Promise<Map<string, RankedApp>> {
      const rows = await read(appIds.map((appId) => idOf(storefront, appId)));
      return new Map(
        rows.map(({ _id, title, icon }) => {
          const app_id = appIdOf(storefront, _id);
          return [app_id, { app_id, title, icon }];
        }),
      );
    },

    /** Writes only what is new or has changed: one read, and two writes at most for a page. */
    async save(storefront: Storefront, apps: readonly RankedApp[]): Promise<void> {
      const rows = apps.map(({ app_id, title, icon }) => ({ _id: idOf(storefront, app_id), title, icon }));
      const known = new Map((await read(rows.map(({ _id }) => _id))).map((row) => [row._id, row]));
      const changed = rows.filter((row) => {
        const old = known.get(row._id);
        return old?.title !== row.title || old.icon !== row.icon;
      });
      const updates = changed.map(({ _id, title, icon }) => ({
        updateOne: { filter: { _id }, update: { $set: { title, icon } }, upsert: true },
      }));
      for (let start = 0; start < updates.length; start += updatesPerCommand) {
        const some = updates.slice(start, start + updatesPerCommand);
        await retryUpsert(() => rankedApps.bulkWrite(some, { ordered: false }));
      }
    },
  };
}

function idOf(storefront: Storefront, appId: string): string {
  return `${storefrontKey(storefront)}:${appId}`;
}

function appIdOf(storefront: Storefront, id: string): string {
  return id.slice(storefrontKey(storefront).length + 1);
}
