import { type Storefront, storefrontKey } from '@shelfwise/facts/stores/storefront';
import { bulkWriteInChunks } from '@shelfwise/runtime/mongo/bulk-write-in-chunks';
import { insertNew } from '@shelfwise/runtime/mongo/insert-new';
import { findFields } from '@shelfwise/runtime/mongo/read/find-fields';
import { type Connection, Schema } from 'mongoose';
import type { RankedApp } from '../domain/snapshot.ts';
import { createRecentlySaved } from './recently-saved.ts';

/** `_id` is `<storefrontKey>:<store identifier>`. */
type RankedAppDocument = { _id: string; title: string | null; icon: string | null };

const schema = new Schema<RankedAppDocument>(
  { _id: { type: String, required: true }, title: { type: String }, icon: { type: String } },
  { versionKey: false },
);

/** The most apps that one command reads: a command of the embedded database blocks all others. */
const rowsPerCommand = 1000;
/**
 * How many apps are remembered with title and icon (5 to 10 MB). Most apps are on many pages, and looking them up costs
 * more than the rest of a snapshot.
 */
const rememberedApps = 20_000;
/** For this long a copy of the service may leave a title that another copy has stored, when it reads an older one again. */
const rememberedMs = 10 * 60_000;

export type RankedAppStore = ReturnType<typeof createRankedAppStore>;

/** The title and icon of each app in the snapshots, stored once per storefront. */
export function createRankedAppStore(connection: Connection, nowMs: () => number = Date.now) {
  const rankedApps = connection.model('RankedApp', schema, 'ranked_apps');
  const recentlySaved = createRecentlySaved({ limit: rememberedApps, maxAgeMs: rememberedMs, nowMs });
  const fields = { _id: 'value', title: 'value', icon: 'value' } as const;
  const read = (ids: readonly string[]) =>
    findFields<RankedAppDocument>(rankedApps, { _id: { $in: ids } }, { fields });

  async function saveBatch(rows: readonly RankedAppDocument[], past: ReadonlySet<string>): Promise<void> {
    const stored = new Map((await read(rows.map(({ _id }) => _id))).map((row) => [row._id, row]));
    await insertNew(
      rankedApps.collection,
      rows.filter(({ _id }) => !stored.has(_id)),
    );
    const current = rows.filter(({ _id }) => !past.has(_id));
    const updates = current.flatMap((row) => {
      const old = stored.get(row._id);
      // What could not be read on this page is as it was on an earlier one.
      const title = row.title ?? old?.title ?? null;
      const icon = row.icon ?? old?.icon ?? null;
      if (!old || (old.title === title && old.icon === icon)) return [];
      return [{ updateOne: { filter: { _id: row._id }, update: { $set: { title, icon } } } }];
    });
    await bulkWriteInChunks(rankedApps, updates);
    for (const row of current) recentlySaved.remember(row._id, contentOf(row));
  }

  return {
    /** The apps by store identifier; without those that no saved page of the storefront contains. */
    async findMany(storefront: Storefront, appIds: readonly string[]): Promise<Map<string, RankedApp>> {
      if (appIds.length === 0) return new Map();
      const rows = await read(appIds.map((appId) => idOf(storefront, appId)));
      return new Map(
        rows.map(({ _id, title, icon }) => {
          const appId = appIdOf(storefront, _id);
          return [appId, { app_id: appId, title, icon }];
        }),
      );
    },

    /**
     * Writes only new and changed apps. An app on several pages is read and written once, as the last page shows it. A
     * page of a past day adds apps, but a title of that day never replaces a newer one.
     */
    async save(
      pages: readonly { storefront: Storefront; apps: readonly RankedApp[]; isPast: boolean }[],
    ): Promise<void> {
      const rowById = new Map<string, RankedAppDocument>();
      const past = new Set<string>();
      for (const { storefront, apps, isPast } of pages.toSorted(pastFirst))
        for (const app of apps) {
          const _id = idOf(storefront, app.app_id);
          const earlier = rowById.get(_id);
          const title = app.title ?? earlier?.title ?? null;
          rowById.set(_id, { _id, title, icon: app.icon ?? earlier?.icon ?? null });
          if (isPast) past.add(_id);
          else past.delete(_id);
        }
      const rows = [...rowById.values()].filter((row) => !recentlySaved.has(row._id, contentOf(row)));
      for (let start = 0; start < rows.length; start += rowsPerCommand)
        await saveBatch(rows.slice(start, start + rowsPerCommand), past);
    },
  };
}

function pastFirst(a: { isPast: boolean }, b: { isPast: boolean }): number {
  return Number(b.isPast) - Number(a.isPast);
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
