import { randomUUID } from 'node:crypto';
import { deleteAll, deleteBatch, documentsPerBatch } from '@shelfwise/runtime/mongo/delete-batch';
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
 * The most registered clients that an account has connected, and that none has, in all and of one network. Each kind only evicts its
 * own, so that neither dead clients nor a flood keep a new one out. A flood evicts its own registrations while it comes from fewer
 * than a hundred networks; from more, the oldest that were never used. Existing connections need no row here.
 */
const defaultLimits = { used: 5000, unused: 5000, unusedOfSource: 50 };

/** The clients that have registered themselves (RFC 7591). All of them are public: they have no secret. */
export function createClientStore(deps: {
  connection: Connection;
  now: () => Date;
  limits?: typeof defaultLimits;
}) {
  const { connection, now, limits = defaultLimits } = deps;
  const model = createClientModel(connection);
  let registrations = 0;

  /** The clients of a kind that are above its limit: those as old as the first one too many. Null: none. Index: used_at, created_at */
  async function findSurplus(isUsed: boolean) {
    const [first] = await model
      .find({ used_at: isUsed ? { $gt: new Date(0) } : null })
      .sort({ used_at: -1, created_at: -1 })
      .skip(isUsed ? limits.used : limits.unused)
      .limit(1)
      .lean<ClientDocument[]>();
    if (!first) return null;
    return isUsed
      ? { used_at: { $gt: new Date(0), $lte: first.used_at } }
      : { used_at: null, created_at: { $lte: first.created_at } };
  }

  return {
    /** @param source the network that registers it */
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
      // A batch of registrations evicts as many, so that a flood does not grow between two sweeps.
      if (++registrations % documentsPerBatch === 0) {
        const surplus = await findSurplus(false);
        if (surplus) await deleteBatch(model, surplus, { created_at: 1 });
      }
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

    /** Deletes what was not used within a day, and what is above the limits. Index: used_at, created_at */
    async sweep(signal: AbortSignal): Promise<void> {
      const unused = { used_at: null, created_at: { $lte: new Date(now().getTime() - unusedMs) } };
      await deleteAll(model, unused, signal);
      for (const isUsed of [false, true]) {
        const surplus = await findSurplus(isUsed);
        if (surplus) await deleteAll(model, surplus, signal);
      }
    },
  };
}
