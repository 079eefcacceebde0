import { utcDay } from '@shelfwise/runtime/day';
import { deleteAll } from '@shelfwise/runtime/mongo/delete-batch';
import { ofAccount } from '@shelfwise/runtime/mongo/of-account';
import { retryUpsert } from '@shelfwise/runtime/mongo/retry-upsert';
import { createMemory } from '@shelfwise/runtime/mongo/row-memory';
import { type Connection, Schema } from 'mongoose';

/** A keywords field as an account gave it. */
export type KeptField = {
  /** at most 100 UTF-16 units; empty: the field is known to be empty */
  kw_field: string;
  /** when the text last changed */
  updated_at: Date;
};

/** The App Store's keywords field of a listing, for one account. */
type KeywordsField = {
  /** `<account>:<listing>` */
  _id: string;
  account_id: string;
  listing_id: number;
  /** null: removed. The row stays, so that `changes` cannot be reset by removing it */
  kw_field: string | null;
  updated_at: Date;
  /** the UTC day of the last change */
  day: string;
  /** how often the text changed on that day */
  changes: number;
};

const schema = new Schema<KeywordsField>(
  {
    _id: { type: String, required: true },
    account_id: { type: String, required: true },
    listing_id: { type: Number, required: true },
    kw_field: { type: String, default: null },
    updated_at: { type: Date, required: true },
    day: { type: String, required: true },
    changes: { type: Number, required: true },
  },
  { versionKey: false },
).index({ listing_id: 1, updated_at: 1 });

/** The account and the internal app id. */
export type FieldKey = { account_id: string; listing_id: number };

export type KeywordsFieldStore = ReturnType<typeof createKeywordsFieldStore>;

/**
 * The keywords fields that accounts keep, because the App Store never shows them: one row per account and listing.
 * @param isOnlyCopy whether they may be remembered
 */
export function createKeywordsFieldStore(connection: Connection, isOnlyCopy: boolean) {
  const fields = connection.model('KeywordsField', schema, 'keywords_fields');
  const idOf = ({ account_id: accountId, listing_id: listingId }: FieldKey) => `${accountId}:${listingId}`;
  /** Also that there is none. */
  const kept = createMemory<string, KeptField | null>(isOnlyCopy);

  async function read(_id: string): Promise<KeptField | null> {
    const row = await fields
      .findById(_id)
      .select({ kw_field: 1, updated_at: 1 })
      .lean<Pick<KeywordsField, 'kw_field' | 'updated_at'>>();
    return row?.kw_field == null ? null : { kw_field: row.kw_field, updated_at: row.updated_at };
  }

  return {
    /** Null when the account keeps none. Index: _id; no query where it is remembered. */
    async find(key: FieldKey): Promise<KeptField | null> {
      const _id = idOf(key);
      return (await kept.find([_id], async () => new Map([[_id, await read(_id)]]))).get(_id) ?? null;
    },

    /**
     * Keeps a text. The same text again changes nothing. Returns what is kept then, and how often it changed on this UTC
     * day. Of two calls at the same time the later one wins, and both are counted. One read, and one write, or two for the first
     * change of a day. Index: _id.
     */
    async save(key: FieldKey, kwField: string, at: Date): Promise<KeptField & { changes: number }> {
      const _id = idOf(key);
      const day = utcDay(at);
      const stored = await fields.findById(_id).lean<KeywordsField>();
      const isOfToday = stored?.day === day;
      if (stored?.kw_field === kwField)
        return {
          kw_field: kwField,
          updated_at: stored.updated_at,
          changes: isOfToday ? stored.changes : 0,
        };
      if (!isOfToday) await fields.updateOne({ _id, day: { $ne: day } }, { $set: { day, changes: 0 } });
      const update = {
        $set: { kw_field: kwField, updated_at: at },
        $inc: { changes: 1 },
        $setOnInsert: { ...key, day },
      };
      const saved = await kept.change(_id, () =>
        retryUpsert(() =>
          fields
            .findOneAndUpdate({ _id }, update, { upsert: true, returnDocument: 'after' })
            .lean<KeywordsField>(),
        ),
      );
      if (!saved) throw new Error('a kept keywords field is missing after it was written');
      return { kw_field: kwField, updated_at: at, changes: saved.changes };
    },

    /** How often the texts of an account changed on a UTC day, over all its apps. Reads one row per app; index: _id. */
    async countChanges(accountId: string, day: string): Promise<number> {
      const rows = await fields
        .find({ ...ofAccount(accountId), day })
        .select({ changes: 1 })
        .lean<Pick<KeywordsField, 'changes'>[]>();
      return rows.reduce((sum, { changes }) => sum + changes, 0);
    },

    /** Returns false when none was kept. Index: _id. */
    async remove(key: FieldKey, at: Date): Promise<boolean> {
      const _id = idOf(key);
      const { matchedCount } = await kept.change(_id, () =>
        fields.updateOne({ _id, kw_field: { $ne: null } }, { $set: { kw_field: null, updated_at: at } }),
      );
      return matchedCount === 1;
    },

    /** The fields that accounts keep for a listing, the newest first. Index: listing_id, updated_at. */
    async listOf(listingId: number, limit: number): Promise<{ account_id: string; kw_field: string }[]> {
      const rows = await fields
        .find({ listing_id: listingId, kw_field: { $ne: null } })
        .sort({ updated_at: -1 })
        .limit(limit)
        .select({ account_id: 1, kw_field: 1 })
        .lean<Pick<KeywordsField, 'account_id' | 'kw_field'>[]>();
      return rows.flatMap(({ account_id, kw_field }) =>
        kw_field === null ? [] : [{ account_id, kw_field }],
      );
    },

    /** Deletes the rows of an account until the signal fires. Index: _id. */
    deleteAccount: (accountId: string, signal: AbortSignal) =>
      kept.changeAny(() => deleteAll(fields, ofAccount(accountId), signal)),
  };
}
