import { z } from 'zod';
import { averageScore, currencyCode, orNull, plainText, webUrl } from '../field-shapes.ts';
import { decodeEntities } from '../plain-text.ts';

const date = z.iso.datetime({ offset: true }).transform((value) => new Date(value));

/** A value that tells rows of apps from those of other content. A row that does not say is an app, if its id is readable. */
const oneOf = (...values: string[]) =>
  z.unknown().refine((value) => typeof value !== 'string' || values.includes(value), {
    error: `expected ${values.join(' or ')}`,
  });

/** The fields of a search row. Only the id is required: no other field changes a rank. */
const searchFields = z.object({
  wrapperType: oneOf('software'),
  // Mac apps hold ranks in the same search results.
  kind: oneOf('software', 'mac-software'),
  trackId: z.int().positive(),
  trackName: orNull(plainText),
  artistName: orNull(plainText),
  primaryGenreName: orNull(plainText),
  artworkUrl512: orNull(webUrl),
  artworkUrl100: orNull(webUrl),
  // An app without ratings has 0 in both fields.
  averageUserRating: orNull(averageScore),
  userRatingCount: orNull(z.int().nonnegative()),
  primaryGenreId: orNull(z.int().positive()),
  currentVersionReleaseDate: orNull(date),
});

/** Only the fields in use; all others are dropped. */
const lookupFields = searchFields.extend({
  bundleId: orNull(z.string().min(1)),
  trackViewUrl: orNull(webUrl),
  /** The store's limit is 4,000. Events carry listings, so their size needs a bound. */
  description: orNull(z.string().max(50_000).transform(decodeEntities)),
  version: orNull(z.string()),
  /** absent for apps that come only with a subscription of the store */
  price: orNull(z.number().nonnegative()),
  currency: orNull(currencyCode),
  languageCodesISO2A: orNull(z.array(z.string())),
  releaseDate: orNull(date),
  screenshotUrls: orNull(z.array(webUrl)),
  /** absent for Mac apps */
  ipadScreenshotUrls: orNull(z.array(webUrl)),
});

export const foundRow = searchFields.transform(withRating).transform(withIcon);
export type FoundRow = z.output<typeof foundRow>;

export const itunesRow = lookupFields.transform(withRating).transform(withIcon);
export type ItunesRow = z.output<typeof itunesRow>;

type SearchFields = z.output<typeof searchFields>;

/** An average below 1, the lowest rating, is unreadable, unless the app has no ratings. */
function withRating<Row extends SearchFields>(row: Row): Row {
  const { averageUserRating: average, userRatingCount: count } = row;
  const isUnreadable = average !== null && average < 1 && count !== 0;
  return isUnreadable ? { ...row, averageUserRating: null } : row;
}

function withIcon<Row extends SearchFields>({ artworkUrl512, artworkUrl100, ...row }: Row) {
  return { ...row, icon: artworkUrl512 ?? artworkUrl100 };
}
