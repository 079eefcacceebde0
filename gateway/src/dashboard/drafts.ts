import { deleteAll } from '@shelfwise/runtime/mongo/delete-batch';
import { retryUpsert } from '@shelfwise/runtime/mongo/retry-upsert';
import type { Connection } from 'mongoose';
import { createDraftModel, type DraftDocument } from './draft-model.ts';

/** The texts that were typed; null: as in the live listing. */
export type DraftTexts = {
  title: string | null;
  subtitle: string | null;
  description: string | null;
  kw_field: string | null;
};

export type Draft = { texts: DraftTexts; keptAt: Date };

export type Drafts = ReturnType<typeof createDrafts>;

/** Counted from the last change. */
const keptMs = 30 * 24 * 3_600_000;

/** What is being typed in the simulator: one draft for each account and app. The last writer wins. */
export function createDrafts({ connection, now }: { connection: Connection; now: () => Date }) {
  const model = createDraftModel(connection);
  const idOf = (accountId: string, appId: number) => `${accountId}:${appId}`;

  return {
    /** Null: none is kept. */
    async find(accountId: string, appId: number): Promise<Draft | null> {
      const found = await model
        .findOne({ _id: idOf(accountId, appId), expires_at: { $gt: now() } })
        .lean<DraftDocument>();
      if (!found) return null;
      const { title, subtitle, description, kw_field, kept_at: keptAt } = found;
      return { texts: { title, subtitle, description, kw_field }, keptAt };
    },

    /** Replaces the draft of the app, and returns when. */
    async keep(accountId: string, appId: number, texts: DraftTexts): Promise<Date> {
      const at = now();
      const content: DraftDocument = {
        _id: idOf(accountId, appId),
        account_id: accountId,
        ...texts,
        kept_at: at,
        expires_at: new Date(at.getTime() + keptMs),
      };
      await retryUpsert(() => model.replaceOne({ _id: content._id }, content, { upsert: true }));
      return at;
    },

    /** Returns whether there was one. */
    async remove(accountId: string, appId: number): Promise<boolean> {
      return (await model.deleteOne({ _id: idOf(accountId, appId) })).deletedCount > 0;
    },

    async deleteAccount(accountId: string): Promise<void> {
      await model.deleteMany({ account_id: accountId });
    },

    /** Deletes the drafts that have expired. Index: expires_at. */
    async sweep(signal: AbortSignal): Promise<void> {
      await deleteAll(model, { expires_at: { $lte: now() } }, signal);
    },
  };
}
