import { z } from 'zod';
import { averageScore, currencyCode, text, webUrl } from '../field-shapes.ts';

const genreId = z.int().positive();
const date = z.iso.datetime({ offset: true }).transform((value) => new Date(value));

/** The fields of a search row. A row without a required one fails the page, so only fields in use are required. */
const searchFields = z.object({
  wrapperType: z.literal('software'),
  // Mac apps hold ranks in the same search results.
  kind: z.enum(['software', 'mac-software']),
  trackId: z.int().positive(),
  trackName: text,
  artistName: text,
  primaryGenreName: text,
  artworkUrl512: webUrl.nullish(),
  artworkUrl100: webUrl.nullish(),
  // An app without ratings has 0 in both fields. A row without the fields means that the store has changed its rows.
  averageUserRating: averageScore,
  userRatingCount: z.int().nonnegative(),
  // Ranks do not depend on these two fields, so an unreadable value becomes null.
  primaryGenreId: genreId.nullish().catch(null),
  currentVersionReleaseDate: date.nullish().catch(null),
});

/** Only the fields in use; all others are dropped. */
const lookupFields = searchFields.extend({
  bundleId: text,
  primaryGenreId: genreId,
  trackViewUrl: webUrl,
  /** The store's limit is 4,000. Events carry listings, so their size needs a bound. */
  description: z.string().max(50_000),
  version: z.string(),
  /** absent for apps that come only with a subscription of the store */
  price: z.number().nonnegative().nullish(),
  currency: currencyCode,
  languageCodesISO2A: z.array(z.string()),
  releaseDate: date,
  currentVersionReleaseDate: date,
  screenshotUrls: z.array(webUrl),
  /** absent for Mac apps */
  ipadScreenshotUrls: z.array(webUrl).nullish(),
});

/** An app as a search shows it. */
export const foundRow = searchFields.superRefine(checkRating).transform(withIcon);
export type FoundRow = z.output<typeof foundRow>;

/** An app as a look-up shows it. */
export const itunesRow = lookupFields.superRefine(checkRating).transform(withIcon);
export type ItunesRow = z.output<typeof itunesRow>;

/** Refuses an average below 1, the lowest rating, when there are ratings. */
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
