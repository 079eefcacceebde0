import { z } from 'zod';
import { averageScore, currencyCode, text, webUrl } from '../field-shapes.ts';

const genreId = z.int().positive();
const date = z.iso.datetime({ offset: true }).transform((value) => new Date(value));

/** What a search page is read for. A row without one of these fails the page, so no more fields are required. */
const searchFields = z.object({
  wrapperType: z.literal('software'),
  // Mac apps are apps of the same store: where its search shows one, it holds a rank like any other.
  kind: z.enum(['software', 'mac-software']),
  trackId: z.int().positive(),
  trackName: text,
  artistName: text,
  primaryGenreName: text,
  artworkUrl512: webUrl.nullish(),
  artworkUrl100: webUrl.nullish(),
  // Where nobody has rated, both are there and 0: without them the store has changed its rows.
  averageUserRating: averageScore,
  userRatingCount: z.int().nonnegative(),
  // A rank does not depend on these two: a row in which they cannot be read is a row.
  primaryGenreId: genreId.nullish().catch(null),
  currentVersionReleaseDate: date.nullish().catch(null),
});

/** Exactly the fields that are used; all others are dropped. */
const lookupFields = searchFields.extend({
  bundleId: text,
  primaryGenreId: genreId,
  trackViewUrl: webUrl,
  description: z.string(),
  version: z.string(),
  /** absent where an app comes with a subscription of the store only */
  price: z.number().nonnegative().nullish(),
  currency: currencyCode,
  languageCodesISO2A: z.array(z.string()),
  releaseDate: date,
  currentVersionReleaseDate: date,
  screenshotUrls: z.array(webUrl),
  /** absent of apps for the Mac */
  ipadScreenshotUrls: z.array(webUrl).nullish(),
});

/** One app as a search shows it. */
export const foundRow = searchFields.superRefine(checkRating).transform(withIcon);
export type FoundRow = z.output<typeof foundRow>;

/** One app as a look-up shows it. */
export const itunesRow = lookupFields.superRefine(checkRating).transform(withIcon);
export type ItunesRow = z.output<typeof itunesRow>;

/** The lowest rating is 1. */
function checkRating(
  { averageUserRating, userRatingCount }: z.output<typeof searchFields>,
  context: Context,
): void {
  if (userRatingCount === 0 || averageUserRating >= 1) return;
  const message = `${averageUserRating} on average, of ${userRatingCount} ratings`;
  context.addIssue({ code: 'custom', path: ['averageUserRating'], message });
}

function withIcon<Row extends Pick<z.output<typeof searchFields>, 'artworkUrl512' | 'artworkUrl100'>>(
  { artworkUrl512, artworkUrl100, ...row }: Row,
  context: Context,
) {
  const icon = artworkUrl512 ?? artworkUrl100;
  if (icon) return { ...row, icon };
  context.addIssue({ code: 'custom', path: ['artworkUrl512'], message: 'neither this nor artworkUrl100' });
  return z.NEVER;
}

type Context = z.core.$RefinementCtx;
