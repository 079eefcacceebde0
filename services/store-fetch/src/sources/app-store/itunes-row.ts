import { z } from 'zod';

export const webUrl = z.url({ protocol: /^https?$/ });
export const text = z.string().min(1);
const date = z.iso.datetime({ offset: true }).transform((value) => new Date(value));

/** One app as search and look-up show it: exactly the fields that are used, all others are let go. */
export const itunesRow = z
  .object({
    wrapperType: z.literal('software'),
    // Mac apps are apps of the same store: where its search shows one, it holds a rank like any other.
    kind: z.enum(['software', 'mac-software']),
    trackId: z.int().positive(),
    bundleId: text,
    trackName: text,
    artistName: text,
    primaryGenreName: text,
    primaryGenreId: z.int().positive().nullish(),
    trackViewUrl: webUrl,
    description: z.string(),
    artworkUrl512: webUrl.nullish(),
    artworkUrl100: webUrl.nullish(),
    version: z.string().nullish(),
    /** 0 where nobody has rated */
    averageUserRating: z.number().min(0).max(5).nullish(),
    userRatingCount: z.int().nonnegative().nullish(),
    /** absent where an app comes with a subscription of the store only */
    price: z.number().nonnegative().nullish(),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .nullish(),
    languageCodesISO2A: z.array(z.string()).nullish(),
    releaseDate: date.nullish(),
    currentVersionReleaseDate: date.nullish(),
    screenshotUrls: z.array(webUrl).nullish(),
    ipadScreenshotUrls: z.array(webUrl).nullish(),
  })
  .transform(({ artworkUrl512, artworkUrl100, ...row }, context) => {
    const icon = artworkUrl512 ?? artworkUrl100;
    if (icon) return { ...row, icon };
    context.addIssue({ code: 'custom', path: ['artworkUrl512'], message: 'neither this nor artworkUrl100' });
    return z.NEVER;
  });

export type ItunesRow = z.output<typeof itunesRow>;
