import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { bulkWriteInChunks } from '@shelfwise/runtime/mongo/bulk-write-in-chunks';
import { deleteBatch } from '@shelfwise/runtime/mongo/delete-batch';
import { retryUpsert } from '@shelfwise/runtime/mongo/retry-upsert';
import { type Connection, Schema } from 'mongoose';
import { daysBeforeWindow, type DayPages as ReadPages } from '../domain/visibility/voice-days.ts';
import { fieldOf } from './keyword-field.ts';

type PageDayDocument = {
  /** `<listing>:<day>` */
  _id: string;
  listing_id: number;
  /** UTC */
  day: string;
  /** Result pages by `fieldOf(keyword)`, as `pack` writes them. */
  pages?: Record<string, { buffer: Uint8Array }>;
};

/** Result pages of one day, of terms in the basket of a listing. */
export type DayPages = {
  listingId: number;
  /** The UTC day on which the store was read. */
  day: string;
  /** By keyword: at most 100 store identifiers, in the store's order. An empty page never replaces one with results. */
  pages: ReadonlyMap<string, readonly string[]>;
};

const schema = new Schema<PageDayDocument>(
  {
    _id: { type: String, required: true },
    listing_id: { type: Number, required: true },
    day: { type: String, required: true },
    pages: Schema.Types.Mixed,
  },
  { versionKey: false },
)
  .index({ listing_id: 1, day: 1 })
  .index({ day: 1 });

/** The maximum length of a window of shares of voice. */
export const maxVoiceDays = 90;
const maxDays = maxVoiceDays + daysBeforeWindow;
/** What the oldest day of the longest window until today needs, and a day that is being read. */
export const keptPageDays = maxDays + 1;

export type PageDayStore = ReturnType<typeof createPageDayStore>;

/**
 * The result pages of each listing's basket by UTC day, from which shares of voice are computed: one row per listing and day. A page of
 * 100 results takes some 550 bytes, so a full basket of 50 terms at most 28 KB a day, and 2.8 MB in all.
 *
 * Pages are kept, not sums of apps: a listing's basket is shared by its accounts and holds terms that only one of them tracks. Which
 * terms count is decided when an account asks. Each page is a separate field, so that several copies can store pages in any order, and
 * a page that arrives twice changes nothing.
 */
export function createPageDayStore(connection: Connection) {
  const days = connection.model('PageDay', schema, 'page_days');

  return {
    /** Adds pages to the rows of the days, and creates missing rows. Index: _id. */
    async savePages(changes: readonly DayPages[]): Promise<void> {
      const pack = createPack();
      await retryUpsert(() =>
        bulkWriteInChunks(
          days,
          changes.map((change) => ({ updateOne: toUpsert(change, pack) })),
        ),
      );
      await bulkWriteInChunks(
        days,
        changes.flatMap((change) => toEmptyUpdates(change, pack).map((updateOne) => ({ updateOne }))),
      );
    },

    /** The rows of a window of at most 99 days, both ends included, oldest first. Index: listing_id, day. */
    async listBetween(listingId: number, from: string, to: string): Promise<ReadPages[]> {
      const rows = await days
        .find({ listing_id: listingId, day: { $gte: from, $lte: to } })
        .sort({ day: 1 })
        .limit(maxDays)
        .lean<PageDayDocument[]>();
      return rows.map(({ day, pages }) => ({ day, pageOf: createPageOf(pages) }));
    },

    /** Deletes a batch of rows of days before `day` (YYYY-MM-DD); see `deleteBatch`. Index: day. */
    deleteBefore: (day: string) => deleteBatch(days, { day: { $lt: day } }, { day: 1 }),
  };
}

type Pack = (page: readonly string[]) => Buffer;

/** A page that is in the baskets of many listings is packed once. */
function createPack(): Pack {
  const packed = new Map<readonly string[], Buffer>();
  return (page) => {
    const known = packed.get(page) ?? deflateRawSync(page.join('\n'), { level: 1 });
    packed.set(page, known);
    return known;
  };
}

function unpack({ buffer }: { buffer: Uint8Array }): string[] {
  const text = inflateRawSync(buffer).toString();
  return text === '' ? [] : text.split('\n');
}

/** Each page is unpacked when it is first needed: it counts on its own day and on the two days that may carry it. */
function createPageOf(pages: PageDayDocument['pages']): ReadPages['pageOf'] {
  const unpacked = new Map<string, string[]>();
  return (keyword) => {
    const known = unpacked.get(keyword);
    if (known) return known;
    const field = fieldOf(keyword);
    const stored = pages && Object.hasOwn(pages, field) ? pages[field] : undefined;
    if (stored === undefined) return undefined;
    const page = unpack(stored);
    unpacked.set(keyword, page);
    return page;
  };
}

function toUpsert({ listingId, day, pages }: DayPages, pack: Pack) {
  const fields = [...pages]
    .filter(([, page]) => page.length > 0)
    .map(([keyword, page]) => [`pages.${fieldOf(keyword)}`, pack(page)]);
  return {
    filter: { _id: `${listingId}:${day}` },
    update: { $set: { listing_id: listingId, day, ...Object.fromEntries(fields) } },
    upsert: true,
  };
}

/** One update for each empty page. It matches while no page of its keyword is stored. */
function toEmptyUpdates({ listingId, day, pages }: DayPages, pack: Pack) {
  return [...pages]
    .filter(([, page]) => page.length === 0)
    .map(([keyword, page]) => {
      const field = `pages.${fieldOf(keyword)}`;
      const filter = { _id: `${listingId}:${day}`, [field]: null };
      return { filter, update: { $set: { [field]: pack(page) } } };
    });
}
