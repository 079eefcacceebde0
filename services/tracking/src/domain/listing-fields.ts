import type { Complete } from '@shelfwise/proto/complete';
import type { Listing as ListingMessage } from '@shelfwise/proto/store/v1/listing';

/** What a store shows of an app in one storefront: the message of store-fetch. Null: the store does not say. */
export type StoreListing = Complete<ListingMessage>;

/** Of a store identifier, in UTF-16 units. */
export const maxAppIdLength = 255;

type StoredAs<Value> = Value extends string
  ? typeof String
  : Value extends number
    ? typeof Number
    : Value extends boolean
      ? typeof Boolean
      : Value extends Date
        ? typeof Date
        : (typeof String)[];

type ListingTypes = { [Field in keyof StoreListing]: StoredAs<NonNullable<StoreListing[Field]>> };

/** How each field is stored, under its own name. A missing field, an unknown one or a wrong type is a compile error. */
export const listingFields: ListingTypes = {
  app_id: String,
  bundle_id: String,
  title: String,
  subtitle: String,
  description: String,
  url: String,
  icon: String,
  screenshots: [String],
  has_video: Boolean,
  developer_name: String,
  genre: String,
  genre_key: String,
  languages: [String],
  version: String,
  score: Number,
  ratings: Number,
  installs: Number,
  price: Number,
  currency: String,
  released_at: Date,
  updated_at: Date,
  unreadable: [String],
};

const fields = Object.keys(listingFields) as (keyof StoreListing)[];

/** Copies the fields of the message, and no others. An absent value becomes null. */
export function pickListing(source: ListingMessage): StoreListing {
  // Not from entries: a list has up to 1,000 listings.
  const picked: Record<string, unknown> = {};
  for (const field of fields) picked[field] = source[field] ?? null;
  picked.unreadable ??= [];
  return picked as StoreListing;
}
