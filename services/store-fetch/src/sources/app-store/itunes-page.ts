import { z } from 'zod';
import { StoreFailure } from './store-failure.ts';

const webUrl = z.url({ protocol: /^https?$/ });
const text = z.string().min(1);
const date = z.iso.datetime({ offset: true }).transform((value) => new Date(value));

/** One app as search and look-up show it: exactly the fields that are used, all others are let go. */
const itunesRow = z
  .object({
    wrapperType: z.literal('software'),
    // Mac apps are apps of the same store: where its search shows one, it holds a rank like any other.
    kind: z.enum(['software', 'mac-software']),
    trackId: z.int().positive(),
    bundleId: text,
    trackName: text,
    artistName: text,
    primaryGenreName: text,
    trackViewUrl: webUrl,
    description: z.string(),
    artworkUrl512: webUrl.nullish(),
    artworkUrl100: webUrl.nullish(),
    version: z.string().nullish(),
    /** 0 where nobody has rated */
    averageUserRating: z.number().min(0).max(5).nullish(),
    userRatingCount: z.int().nonnegative().nullish(),
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

const envelope = z.object({ resultCount: z.int().nonnegative(), results: z.array(z.unknown()) });

/** Content of the store that is no app, such as a song, an album or a developer. */
const otherContent = z.object({
  wrapperType: z.enum(['track', 'collection', 'artist', 'audiobook', 'bundle']),
});

/**
 * The apps of a search page, in the store's order. One row that cannot be read fails the page: without it every app
 * below would be given a better rank than it has. The store's own saying that there is nothing is an empty list.
 */
export function parseSearchPage(body: unknown): ItunesRow[] {
  return parseRows(parseEnvelope(body));
}

/**
 * The one app that a look-up shows; null when the storefront has no such app, also when the id is that of other
 * content. `isAsked` tells whether a row is what was asked for.
 */
export function parseLookupPage(body: unknown, isAsked: (row: ItunesRow) => boolean): ItunesRow | null {
  const answer = parseEnvelope(body);
  if (answer.every((row) => otherContent.safeParse(row).success)) return null;
  const rows = parseRows(answer);
  const [row] = rows;
  if (row === undefined || rows.length > 1 || !isAsked(row)) {
    throw new StoreFailure('garbage', 'sent another app than the one that was asked for');
  }
  return row;
}

function parseEnvelope(body: unknown): unknown[] {
  const parsed = envelope.safeParse(body);
  if (!parsed.success) throw garbage(parsed.error);
  const { resultCount, results } = parsed.data;
  if (resultCount !== results.length) {
    throw new StoreFailure('garbage', `announced ${resultCount} results and sent ${results.length}`);
  }
  return results;
}

function parseRows(answer: unknown[]): ItunesRow[] {
  const parsed = z.array(itunesRow).safeParse(answer);
  if (!parsed.success) throw garbage(parsed.error);
  return dropRepeated(parsed.data);
}

/**
 * A rank counts the apps that stand ahead. One that is shown twice has its upper rank and is one app: counted twice,
 * it would push those below a place too far down.
 */
function dropRepeated(rows: ItunesRow[]): ItunesRow[] {
  const seen = new Set<number>();
  return rows.filter(({ trackId }) => !seen.has(trackId) && seen.add(trackId));
}

function garbage(error: z.ZodError): StoreFailure {
  const problems = error.issues.slice(0, 3).map((issue) => `${namePlace(issue.path)}: ${issue.message}`);
  return new StoreFailure('garbage', `sent a page of another shape (${problems.join('; ')})`, {
    cause: error,
  });
}

/** Rows are counted from 1, like ranks. */
function namePlace(path: PropertyKey[]): string {
  const [first, ...field] = path;
  if (typeof first === 'number') return `row ${first + 1}, ${field.map(String).join('.') || 'all of it'}`;
  return path.map(String).join('.') || 'all of it';
}
