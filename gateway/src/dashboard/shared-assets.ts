import { scriptNames } from '@shelfwise/dashboard/pages';
import { type Asset, type Assets, assetName, assetOf } from '@shelfwise/dashboard/server/assets';
import { dayMs } from '@shelfwise/runtime/day';
import type { Logger } from '@shelfwise/runtime/log/logger';
import { deleteAll } from '@shelfwise/runtime/mongo/delete-batch';
import type { Connection } from 'mongoose';
import { mapDatabaseError } from '../http/gateway-errors.ts';
import { type AssetDocument, createAssetModel } from './asset-model.ts';

export type SharedAssets = ReturnType<typeof createSharedAssets>;

const keptMs = 30 * dayMs;
/** Those of the last twenty builds: the scripts, and what they share. */
const maxFiles = 20 * (scriptNames.length + 1);
const listEveryMs = 1000;

/**
 * The files of the pages: those of this build, and, from the database, those of other builds whose gateways share it. During a
 * rolling update any gateway may be asked for the files of a page that another one has made.
 * Strangers may ask for any name: the database is asked for the list of names once a second at most, and once for each file.
 * @param deps.own null: there is no dashboard, or it is not built
 */
export function createSharedAssets(deps: {
  connection: Connection;
  own: Assets | null;
  logger: Logger;
  now: () => Date;
  monotonicMs: () => number;
}) {
  const { own, logger, now, monotonicMs } = deps;
  const model = createAssetModel(deps.connection);
  /** Files of other builds, by name. */
  const others = new Map<string, Asset>();
  let listed: { names: ReadonlySet<string>; at: number } | null = null;
  /** What is being asked of the database, which all callers share. */
  let listing: Promise<ReadonlySet<string>> | null = null;
  const reading = new Map<string, Promise<Asset | null>>();
  let storedAt: Date | null = null;

  /** Stores the files of this build for all gateways. A failure stops nothing: most pages need this gateway alone. */
  async function share(): Promise<void> {
    if (!own || (storedAt && now().getTime() - storedAt.getTime() < dayMs)) return;
    try {
      storedAt = await store(own);
    } catch (err) {
      logger.warn(
        { err },
        'the files of the dashboard could not be stored for other gateways; retrying in a minute',
      );
    }
  }

  async function store({ files }: Assets): Promise<Date> {
    const at = now();
    for (const [name, { body }] of files) {
      const document = { body, expires_at: new Date(at.getTime() + keptMs) };
      await model.updateOne({ _id: name }, { $set: document }, { upsert: true });
    }
    const surplus = await model
      .find({ _id: { $nin: [...files.keys()] } })
      .sort({ expires_at: -1 })
      .skip(maxFiles - files.size)
      .select({ _id: 1 })
      .lean<Pick<AssetDocument, '_id'>[]>();
    if (surplus.length > 0) await model.deleteMany({ _id: { $in: surplus.map(({ _id }) => _id) } });
    return at;
  }

  async function listNames(): Promise<ReadonlySet<string>> {
    if (listed && monotonicMs() - listed.at < listEveryMs) return listed.names;
    listing ??= readNames().finally(() => {
      listing = null;
    });
    return listing;
  }

  async function readNames(): Promise<ReadonlySet<string>> {
    const found = await model.find().select({ _id: 1 }).limit(maxFiles).lean<Pick<AssetDocument, '_id'>[]>();
    const names = new Set(found.map(({ _id }) => _id));
    for (const name of others.keys()) if (!names.has(name)) others.delete(name);
    listed = { names, at: monotonicMs() };
    return names;
  }

  async function read(name: string): Promise<Asset | null> {
    const found = await model.findById(name);
    if (!found) return null;
    const asset = assetOf(name, Buffer.from(found.body));
    others.set(name, asset);
    return asset;
  }

  return {
    /** What the head of each page of this build loads; null without a build. */
    head: own?.head ?? null,

    /** A file that is in the memory; null: it may be in the database. */
    recall: (name: string): Asset | null => own?.files.get(name) ?? others.get(name) ?? null,

    /** A file of another build; null when none has it. */
    async find(name: string): Promise<Asset | null> {
      if (!assetName.test(name) || !(await mapDatabaseError(listNames())).has(name)) return null;
      const asset = reading.get(name) ?? read(name).finally(() => reading.delete(name));
      reading.set(name, asset);
      return mapDatabaseError(asset);
    },

    /** To be awaited before the first page that names the files is answered. */
    share,

    /** Shares the files of this build again each day, and deletes those that no gateway has shared for 30 days. Index: expires_at. */
    async sweep(signal: AbortSignal): Promise<void> {
      await share();
      await deleteAll(model, { expires_at: { $lte: now() } }, signal);
    },
  };
}
