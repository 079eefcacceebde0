import { randomUUID } from 'node:crypto';
import { deleteAll, deleteBatch, documentsPerBatch } from '@shelfwise/runtime/mongo/delete-batch';
import { deleteSurplus } from '@shelfwise/runtime/mongo/delete-surplus';
import type { Connection } from 'mongoose';
import type { ClientMetadata } from './client-metadata.ts';
import { findSurplusByNetwork } from './network-share.ts';
import { type ClientDocument, createClientModel } from './oauth-models.ts';

/** A client whose redirect addresses are known. `isDocument`: its id is the address of its metadata, so its host is proven. */
export type OAuthClient = ClientMetadata & { id: string; isDocument: boolean };

/** Clients that no account has connected are kept for so long. */
const unusedMs = 24 * 3_600_000;

/**
 * The most registered clients that an account has connected, and that none has, in all and of one network. Each kind only evicts its
 * own, so that neither dead clients nor a flood keep a new one out. Of those that none has connected, the networks with the most give
 * up their oldest first: a flood evicts its own registrations while it comes from fewer networks than the limit. Those that the consent
 * page has shown to a person are counted by themselves, and the first of each network is the last to go. Existing connections need no
 * row here.
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

  /** The connected clients above the limit: those as long unused as the first one too many. Null: none. Index: used_at, created_at */
  async function findUsedSurplus() {
    const [first] = await model
      .find({ used_at: { $gt: new Date(0) } })
      .sort({ used_at: -1 })
      .skip(limits.used)
      .limit(1)
      .lean<ClientDocument[]>();
    return first ? { used_at: { $gt: new Date(0), $lte: first.used_at } } : null;
  }

  /** The clients above the limit that none has connected. Reads twice the limit at most. Index: used_at, created_at */
  async function findUnusedSurplus() {
    const newestFirst = await model
      .find({ used_at: null })
      .sort({ used_at: -1, created_at: -1 })
      .limit(2 * limits.unused)
      .select({ source: 1, shown_source: 1 })
      .lean<Pick<ClientDocument, '_id' | 'source' | 'shown_source'>[]>();
    const surplus = findSurplusByNetwork(newestFirst, limits.unused);
    // What is used meanwhile stays. The driver's type of a filter does not know ids that are texts.
    return { _id: { $in: surplus.map(({ _id }) => _id) }, used_at: null } as object;
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
      if (++registrations % documentsPerBatch === 0) await deleteBatch(model, await findUnusedSurplus());
      return { ...metadata, id, isDocument: false, createdAt };
    },

    async find(id: string): Promise<OAuthClient | null> {
      const found = await model.findById(id).lean<ClientDocument>();
      return found && { id, name: found.name, redirectUris: found.redirect_uris, isDocument: false };
    },

    /** The consent page shows it to a person who is signed in: no flood evicts it before the person decides. */
    async noteShown(id: string): Promise<void> {
      const found = await model.findById(id).select({ source: 1 }).lean<Pick<ClientDocument, 'source'>>();
      const source = found?.source;
      // As it was read: a use meanwhile has forgotten the address.
      if (source !== undefined)
        await model.updateOne(
          { _id: id, source },
          { $set: { shown_source: source }, $unset: { source: '' } },
        );
    },

    /** An account has connected it. Its address is forgotten. */
    async noteUse(id: string): Promise<void> {
      await model.updateOne(
        { _id: id },
        { $set: { used_at: now() }, $unset: { source: '', shown_source: '' } },
      );
    },

    /** Deletes what was not used within a day, and what is above the limits. Index: used_at, created_at */
    async sweep(signal: AbortSignal): Promise<void> {
      const unused = { used_at: null, created_at: { $lte: new Date(now().getTime() - unusedMs) } };
      await deleteAll(model, unused, signal);
      await deleteAll(model, await findUnusedSurplus(), signal);
      const surplus = await findUsedSurplus();
      if (surplus) await deleteAll(model, surplus, signal);
    },
  };
}
