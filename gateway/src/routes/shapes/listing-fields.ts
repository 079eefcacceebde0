import type { Complete } from '@shelfwise/proto/complete';
import type { Listing } from '@shelfwise/proto/store/v1/listing';
import { z } from 'zod';
import * as shapes from './shapes.ts';

/**
 * The listing of an app that is read every day, as answers show it, in their order. A name or a type that the message
 * does not have is a compile error.
 */
export const listingFields = {
  app_id: shapes.storeIdentifier,
  title: shapes.title,
  description: z
    .string()
    .nullable()
    .meta({ description: `Description in the store; ${shapes.nullWhenUnreadable}.` }),
  url: z
    .string()
    .nullable()
    .meta({ description: `URL of its page in the store; ${shapes.nullWhenUnreadable}.` }),
  icon: shapes.icon,
  screenshots: z
    .array(z.string())
    .nullable()
    .meta({ description: `URLs of the screenshots; ${shapes.nullWhenUnreadable}.` }),
  developer_name: shapes.developerName,
  genre: z
    .string()
    .nullable()
    .meta({ description: `Genre in the store; ${shapes.nullWhenUnreadable}.`, examples: ['Productivity'] }),
  version: z
    .string()
    .nullable()
    .meta({ description: 'Newest version; null when the store does not show it.', examples: ['23.5.1'] }),
  score: shapes.rating.meta({
    description: 'Average rating in the store; null when there are no ratings or the store does not show it.',
  }),
  ratings: shapes.ratingCount,
} satisfies { [Field in keyof Listing]?: z.ZodType<Complete<Listing>[Field] | null> };

/** Shown with a listing, which stays as it was last read. */
export const unlistedSince = shapes.timestamp.nullable().meta({
  description:
    'When the store was first found not to list the app any more; its data stay as last read. Set after empty look-ups on two UTC days, each followed by an app that the store does show. Null while it is listed.',
  examples: [null],
});

type ListingFields = z.output<z.ZodObject<typeof listingFields>>;

const fields = Object.keys(listingFields) as (keyof ListingFields)[];

/** The listing in answers; null for what could not be read. @throws when it is missing from a service's reply */
export function toListingFields(listing: Listing | null): ListingFields {
  if (listing === null) throw new Error('the reply of tracking has an empty listing');
  // Not from entries: a list has up to 1,000 listings.
  const shown: Record<string, unknown> = {};
  for (const field of fields)
    shown[field] = listing.unreadable.includes(field) ? null : (listing[field] ?? null);
  return shown as ListingFields;
}
