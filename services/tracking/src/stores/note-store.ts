import type { CounterStore } from '@shelfwise/runtime/mongo/counter-store';
import { deleteAll } from '@shelfwise/runtime/mongo/delete-batch';
import { type Connection, Schema } from 'mongoose';
import type { TrackedAppKey } from './tracked-app-store.ts';

/** What an account notes about a day of an application, such as a campaign. Rows are deleted with their account. */
export type Note = {
  _id: number;
  account_id: string;
  /** The internal app id of the application. */
  listing_id: number;
  /** YYYY-MM-DD: the day that it is about. */
  day: string;
  text: string;
  created_at: Date;
};

/** The most notes of an application. */
export const maxNotes = 1000;

const schema = new Schema<Note>(
  {
    _id: { type: Number, required: true },
    account_id: { type: String, required: true },
    listing_id: { type: Number, required: true },
    day: { type: String, required: true },
    text: { type: String, required: true },
    created_at: { type: Date, required: true },
  },
  { versionKey: false },
).index({ account_id: 1, listing_id: 1, day: 1, _id: 1 });

export type NoteStore = ReturnType<typeof createNoteStore>;

export function createNoteStore(connection: Connection, counters: CounterStore<'note'>) {
  const notes = connection.model('Note', schema, 'notes');

  return {
    /** Index: account_id, listing_id. */
    count: (app: TrackedAppKey) => notes.countDocuments(app),

    async add(app: TrackedAppKey, { day, text }: Pick<Note, 'day' | 'text'>, at: Date): Promise<Note> {
      const note = { _id: await counters.take('note', 1), ...app, day, text, created_at: at };
      await notes.create(note);
      return note;
    },

    /** The latest day first, and of a day the last one. Index: account_id, listing_id, day, _id. */
    list: (app: TrackedAppKey, { skip, limit }: { skip: number; limit: number }): Promise<Note[]> =>
      notes.find(app).sort({ day: -1, _id: -1 }).skip(skip).limit(limit).lean<Note[]>(),

    /** Whether there was one. Index: _id. */
    async remove(app: TrackedAppKey, id: number): Promise<boolean> {
      const { deletedCount } = await notes.deleteOne({ _id: id, ...app });
      return deletedCount === 1;
    },

    /** Deletes the notes of an account until the signal fires. Index: account_id. */
    deleteAccount: (accountId: string, signal: AbortSignal) =>
      deleteAll(notes, { account_id: accountId }, signal),
  };
}
