import { z } from 'zod';
import { dropRepeated } from '../drop-repeated.ts';
import { malformedAnswer } from '../malformed-answer.ts';
import { StoreFailure } from '../store-failure.ts';
import { type FoundRow, foundRow, type ItunesRow, itunesRow } from './itunes-row.ts';

const envelope = z.object({ resultCount: z.int().nonnegative(), results: z.array(z.unknown()) });

/**
 * The apps of a search page, in the store's order. One row that cannot be read fails the page: without it every app
 * below would be given a better rank than it has. The store's own saying that there is nothing is an empty list.
 */
export function parseSearchPage(body: unknown): FoundRow[] {
  const parsed = z.array(foundRow).safeParse(parseEnvelope(body));
  if (!parsed.success) throw malformedAnswer(parsed.error);
  return dropRepeated(parsed.data, ({ trackId }) => trackId);
}

/** How an app is asked for in a look-up, and recognized in the answer. */
export type LookupKey = { field: 'trackId'; id: number } | { field: 'bundleId'; id: string };

/** The result of a look-up for one app: its row, why that cannot be read, or null when the storefront has no such app. */
export type LookupOutcome = ItunesRow | StoreFailure | null;

/**
 * The result of a look-up for each app that was asked for, in their order. A row that cannot be read fails its own app
 * alone, as long as it has the app's id. A row that was not asked for, or no app that can be read, is malformed.
 */
export function parseLookupPage(body: unknown, asked: readonly LookupKey[]): LookupOutcome[] {
  const rows = parseEnvelope(body).map((row, i) => readRow(row, i, asked));
  const outcomes = asked.map((app) => outcomeOf(app, rows));
  const [first] = outcomes;
  if (first instanceof StoreFailure && outcomes.every((outcome) => outcome instanceof StoreFailure))
    throw first;
  return outcomes;
}

type Row = { key: LookupKey; outcome: LookupOutcome };

function readRow(row: unknown, place: number, asked: readonly LookupKey[]): Row {
  const parsed = itunesRow.safeParse(row);
  const key = asked.find((app) => isRowOf(row, app));
  if (key === undefined) {
    if (!parsed.success && !isOtherContent(row)) throw malformedAnswer(atRow(parsed.error, place));
    throw new StoreFailure('malformed', 'sent another app than the one that was asked for');
  }
  if (parsed.success) return { key, outcome: parsed.data };
  return { key, outcome: isOtherContent(row) ? null : malformedAnswer(atRow(parsed.error, place)) };
}

/** Two apps under one bundle id are ambiguous. */
function outcomeOf(app: LookupKey, rows: readonly Row[]): LookupOutcome {
  const own = rows.filter((row) => row.key === app).map(({ outcome }) => outcome);
  const failure = own.find((outcome) => outcome instanceof StoreFailure);
  if (failure) return failure;
  const found = own.filter((outcome): outcome is ItunesRow => outcome !== null);
  if (new Set(found.map(({ trackId }) => trackId)).size > 1) {
    return new StoreFailure('malformed', `sent several apps with the bundle id ${app.id}`);
  }
  return found[0] ?? null;
}

/** Bundle ids like the store, which gives no two apps any that differ in letter case only. */
function isRowOf(row: unknown, app: LookupKey): boolean {
  const { data } = identity.safeParse(row);
  if (data === undefined) return false;
  if (app.field === 'bundleId') return data.bundleId?.toLowerCase() === app.id.toLowerCase();
  // Where an id is not an app's, it may be that of a song, an album or an artist.
  return [data.trackId, data.collectionId, data.artistId].find((id) => id !== undefined) === app.id;
}

const optionalId = z.number().optional().catch(undefined);
const identity = z.object({
  trackId: optionalId,
  collectionId: optionalId,
  artistId: optionalId,
  bundleId: z.string().optional().catch(undefined),
});

/** Content of the store that is no app, such as a song, an album or a developer. */
const otherContent = z.object({
  wrapperType: z.enum(['track', 'collection', 'artist', 'audiobook', 'bundle']),
});

function isOtherContent(row: unknown): boolean {
  return otherContent.safeParse(row).success;
}

function parseEnvelope(body: unknown): unknown[] {
  const parsed = envelope.safeParse(body);
  if (!parsed.success) throw malformedAnswer(parsed.error);
  const { resultCount, results } = parsed.data;
  if (resultCount !== results.length) {
    throw new StoreFailure('malformed', `announced ${resultCount} results and sent ${results.length}`);
  }
  return results;
}

function atRow(error: z.ZodError, place: number): z.ZodError {
  return new z.ZodError(error.issues.map((issue) => ({ ...issue, path: [place, ...issue.path] })));
}
