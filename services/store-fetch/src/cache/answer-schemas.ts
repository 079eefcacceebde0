import { z } from 'zod';
import type { ChartedApp, FoundApp, Listing, Reading } from '../source.ts';

/*
 * The shapes of cached answers that another copy of the service, perhaps of another version, has stored as JSON. A
 * missing, unknown or mistyped field makes the answer unreadable. Each schema has the type of its answer, so that a new
 * field of a message does not compile without its schema.
 */

const text = z.string();
const textOrNull = text.nullable();
const numberOrNull = z.number().nullable();
/** `Date.toJSON` */
export const dateSchema = z.iso.datetime().transform((date) => new Date(date));

const reading = {
  readAt: dateSchema,
  source: z.enum(['sample', 'app-store', 'google-play']),
} satisfies Fields<Reading>;

const foundApp = z.strictObject({
  app_id: text,
  title: textOrNull,
  icon: textOrNull,
  developer_name: textOrNull,
  genre: textOrNull,
  score: numberOrNull,
  ratings: numberOrNull,
  updated_at: dateSchema.nullable(),
  genre_key: textOrNull,
} satisfies Fields<FoundApp>);

const chartedApp = z.strictObject({
  app_id: text,
  title: textOrNull,
  icon: textOrNull,
  developer_name: textOrNull,
  score: numberOrNull,
  price: numberOrNull,
  currency: textOrNull,
} satisfies Fields<ChartedApp>);

const listing = z.strictObject({
  app_id: text,
  bundle_id: textOrNull,
  title: textOrNull,
  subtitle: textOrNull,
  description: textOrNull,
  url: textOrNull,
  icon: textOrNull,
  screenshots: z.array(text),
  has_video: z.boolean().nullable(),
  developer_name: textOrNull,
  genre: textOrNull,
  genre_key: textOrNull,
  languages: z.array(text),
  version: textOrNull,
  score: numberOrNull,
  ratings: numberOrNull,
  installs: numberOrNull,
  price: numberOrNull,
  currency: textOrNull,
  released_at: dateSchema.nullable(),
  updated_at: dateSchema.nullable(),
  unreadable: z.array(text),
} satisfies Fields<Listing>);

const maxRows = 250;

export const searchSchema = z.strictObject({
  depth: z.number(),
  page: z.strictObject({ ...reading, apps: z.array(foundApp).max(maxRows), isSuspect: z.boolean() }),
});

export const chartSchema = z.strictObject({ ...reading, apps: z.array(chartedApp).max(maxRows) });

export const suggestSchema = z.strictObject({
  ...reading,
  terms: z.array(text).max(maxRows).nullable(),
  isUncertain: z.boolean(),
  isThorough: z.boolean(),
});

export const listingSchema = z.union([
  z.strictObject({
    found: z.strictObject({ ...reading, listing }),
    subtitleAt: dateSchema.nullable(),
  }),
  z.strictObject({ missing: text, readAt: dateSchema }),
]);

type Fields<Answer> = { [Field in keyof Answer]: z.ZodType<Answer[Field]> };
