import { randomUUID } from 'node:crypto';
import { deleteAll } from '@shelfwise/runtime/mongo/delete-batch';
import { deleteSurplus } from '@shelfwise/runtime/mongo/delete-surplus';
import type { Connection } from 'mongoose';
import type { ClientMetadata } from './client-metadata.ts';
import { type ClientDocument, createClientModel } from './oauth-models.ts';

/** A client whose redirect addresses are known. `isDocument`: its id is the address of its metadata, so its host is proven. */
export type OAuthClient = ClientMetadata & { id: string; isDocument: boolean };

export type ClientStore = ReturnType<typeof createClientStore>;

/** Clients that no account has connected are kept for so long. */
const unusedMs = 24 * 3_600_000;

/**
 * The most registered clients in all, and of those that no account has connected, of one address. A flood of registrations only
 * evicts its own while it comes from fewer than two hundred addresses; from more, the oldest of all that were never used.
 * Existing connections need no row here.
 */
const defaultLimits = { clients: 10_000, unusedOfSource: 50 };
/** Room is made once in so many registrations, and each minute. */
const makesRoomEvery = 100;
const evictedAtOnce = 1000;

/** The clients that have registered themselves (RFC 7591). All of them are public: they have no secret. */
export function createClientStore(deps: {
  connection: Connection;
  now: () => Date;
  limits?: typeof defaultLimits;
}) {
  const { connection, now, limits = defaultLimits } = deps;
  const model = createClientModel(connection);
  let registrations = 0;

  /** Evicts first what was never used, the oldest first, then what was used the longest ago. Index: used_at, created_at */
  async function makeRoom(): Promise<void> {
    const evicted = await model
      .find()
      .sort({ used_at: -1, created_at: -1 })
      .skip(limits.clients)
      .limit(evictedAtOnce)
      .select({ _id: 1 })
      .lean<Pick<ClientDocument, '_id'>[]>();
    if (evicted.length > 0) await model.deleteMany({ _id: { $in: evicted.map(({ _id }) => _id) } });
  }

  return {
    /** @param source the address that registers it */
    async register(metadata: ClientMetadata, source: string): Promise<OAuthClient & { createdAt: Date }> {
      const id = randomUUID();
      const createdAt = now();
      const { name, redirectUris } = metadata;
      await model.create({
        _id: id,
        name,
        redirect_uris: redirectUris,
        created_at: createdAt,
        used_at: null,
        source,
      });
      // Index: source, created_at
      await deleteSurplus(model, { source }, { keep: limits.unusedOfSource, newest: 'created_at' });
      if (registrations++ % makesRoomEvery === 0) await makeRoom();
      return { ...metadata, id, isDocument: false, createdAt };
    },

    async find(id: string): Promise<OAuthClient | null> {
      const found = await model.findById(id).lean<ClientDocument>();
      return found && { id, name: found.name, redirectUris: found.redirect_uris, isDocument: false };
    },

    /** An account has connected it. Its address is forgotten. */
    async noteUse(id: string): Promise<void> {
      await model.updateOne({ _id: id }, { $set: { used_at: now() }, $unset: { source: '' } });
    },

    /** Deletes what was never used, and what is above the limit. Index: used_at, created_at */
    async sweep(signal: AbortSignal): Promise<void> {
      const unused = { used_at: null, created_at: { $lte: new Date(now().getTime() - unusedMs) } };
      await deleteAll(model, unused, signal);
      await makeRoom();
    },
  };
}
