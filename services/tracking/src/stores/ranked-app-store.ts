import { type Storefront, storefrontKey } from '@shelfwise/facts/stores/storefront';
import { singleBatchSize, updatesPerCommand } from '@shelfwise/runtime/mongo/batch-sizes';
import { insertNew } from '@shelfwise/runtime/mongo/insert-new';
import { type Connection, Schema } from 'mongoose';
import type { RankedApp } from '../domain/snapshot.ts';
import { createRecentlySaved } from './recently-saved.ts';

/** `_id` is the storefront and the store identifier. */
type RankedAppDocument = { _id: string; title: string; icon: string };

const schema = new Schema<RankedAppDocument>(
  { _id: { type: String, required: true }, title: { type: String }, icon: { type: String } },
  { versionKey: false },
);

/** The number of apps that one command reads: a command of the embedded database blocks all others. */
const rowsPerCommand = 1000;
/**
 * The number of apps that are remembered as stored (5 to 10 MB). Most apps are on many pages, and looking each of
 * them up costs more than the rest of a snapshot. Rows are never deleted, so a remembered app needs no look-up. If
 * another process stored another title meanwhile, either title is good enough.
 */
const rememberedApps = 20_000;

export type RankedAppStore = ReturnType<typeof createRankedAppStore>;

/** The title and icon of each app in the snapshots, stored once per storefront. */
export function createRankedAppStore(connection: Connection) {
  const rankedApps = connection.model('RankedApp', schema, 'ranked_apps');
  const saved = createRecentlySaved(rememberedApps);
  const read = (ids: readonly string[]) =>
    rankedApps
      .find({ _id: { $in: ids } })
      .batchSize(singleBatchSize(ids.length))
      .lean<RankedAppDocument[]>();

  async function saveBatch(rows: readonly RankedAppDocument[]): Promise<void> {
    const stored = new Map((await read(rows.map(({ _id }) => _id))).map((row) => [row._id, row]));
    await insertNew(
      rankedApps.collection,
      rows.filter(({ _id }) => !stored.has(_id)),
    );
    const changed = rows.filter(({ _id, title, icon }) => {
      const old = stored.get(_id);
      return old && (old.title !== title || old.icon !== icon);
    });
    const updates = changed.map(({ _id, title, icon }) => ({
      updateOne: { filter: { _id }, update: { $set: { title, icon } } },
    }));
    for (let start = 0; start < updates.length; start += updatesPerCommand)
      await rankedApps.bulkWrite(updates.slice(start, start + updatesPerCommand), { ordered: false });
    for (const row of rows) saved.remember(row._id, contentOf(row));
  }

  return {
    /** Returns apps by store identifier; apps that no snapshot of the storefront contains are left out. */
    async findMany(storefront: Storefront, appIds: readonly string[]): Promise<Map<string, RankedApp>> {
      const rows = await read(appIds.map((appId) => idOf(storefront, appId)));
      return new Map(
        rows.map(({ _id, title, icon }) => {
          const appId = appIdOf(storefront, _id);
          return [appId, { app_id: appId, title, icon }];
        }),
      );
    },

    /**
     * Writes only new and changed apps. An app on several pages is read and written once, as the last page shows it.
     */
    async save(pages: readonly { storefront: Storefront; apps: readonly RankedApp[] }[]): Promise<void> {
      const shown = new Map<string, RankedAppDocument>();
      for (const { storefront, apps } of pages)
        for (const app of apps) {
          const _id = idOf(storefront, app.app_id);
          shown.set(_id, { _id, title: app.title, icon: app.icon });
        }
      const rows = [...shown.values()].filter((row) => !saved.has(row._id, contentOf(row)));
      for (let start = 0; start < rows.length; start += rowsPerCommand)
        await saveBatch(rows.slice(start, start + rowsPerCommand));
    },
  };
}

function contentOf({ title, icon }: RankedAppDocument): string {
  return `${title}\n${icon}`;
}

function idOf(storefront: Storefront, appId: string): string {
  return `${storefrontKey(storefront)}:${appId}`;
}

function appIdOf(storefront: Storefront, id: string): string {
  return id.slice(storefrontKey(storefront).length + 1);
}
