import { z } from 'zod';
import { dropRepeated } from '../drop-repeated.ts';
import { unlikeShape } from '../malformed-answer.ts';
import { StoreFailure } from '../store-failure.ts';
import { type FoundRow, foundRow, type ItunesRow, itunesRow } from './itunes-row.ts';

const envelope = z.object({ resultCount: z.int().nonnegative(), results: z.array(z.unknown()) });

/**
 * The apps of a search page, in the store's order. One row that cannot be read fails the page: without it every app
 * below would be given a better rank than it has. The store's own saying that there is nothing is an empty list.
 */
export function parseSearchPage(body: unknown): FoundRow[] {
  const parsed = z.array(foundRow).safeParse(parseEnvelope(body));
  if (!parsed.success) throw unlikeShape(parsed.error);
  return dropRepeated(parsed.data, ({ trackId }) => trackId);
}

/** How an app is asked for in a look-up, and how it is known in the answer. */
export type AskedApp = { field: 'trackId'; id: number } | { field: 'bundleId'; id: string };

/** What a look-up tells of an app: its row, why that cannot be read, or null when the storefront has no such app. */
export type LookedUp = ItunesRow | StoreFailure | null;

/**
 * What a look-up tells of each app that was asked for, in their order. An app stands or fails alone as long as its row
 * says whose it is. A row of anything that nobody asked for, or nothing that can be read of any app, is garbage.
 */
export function parseLookupPage(body: unknown, asked: readonly AskedApp[]): LookedUp[] {
  const rows = parseEnvelope(body).map((row, i) => readRow(row, i, asked));
  const outcomes = asked.map((app) => tellOf(app, rows));
  const [first] = outcomes;
  if (first instanceof StoreFailure && outcomes.every((outcome) => outcome instanceof StoreFailure))
    throw first;
  return outcomes;
}

type Row = { of: AskedApp; outcome: LookedUp };

function readRow(row: unknown, place: number, asked: readonly AskedApp[]): Row {
  const parsed = itunesRow.safeParse(row);
  const of = asked.find((app) => isRowOf(row, app));
  if (of === undefined) {
    if (!parsed.success && !isOtherContent(row)) throw unlikeShape(atRow(parsed.error, place));
    throw new StoreFailure('garbage', 'sent another app than the one that was asked for');
  }
  if (parsed.success) return { of, outcome: parsed.data };
  return { of, outcome: isOtherContent(row) ? null : unlikeShape(atRow(parsed.error, place)) };
}

/** Two apps under one bundle id: it does not say which is meant. */
function tellOf(app: AskedApp, rows: readonly Row[]): LookedUp {
  const own = rows.filter((row) => row.of === app).map(({ outcome }) => outcome);
  const failure = own.find((outcome) => outcome instanceof StoreFailure);
  if (failure) return failure;
  const found = own.filter((outcome): outcome is ItunesRow => outcome !== null);
  if (new Set(found.map(({ trackId }) => trackId)).size > 1) {
    return new StoreFailure('garbage', `sent several apps with the bundle id ${app.id}`);
  }
  return found[0] ?? null;
}

/** Bundle ids like the store, which gives no two apps any that differ in letter case only. */
function isRowOf(row: unknown, app: AskedApp): boolean {
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
  if (!parsed.success) throw unlikeShape(parsed.error);
  const { resultCount, results } = parsed.data;
  if (resultCount !== results.length) {
    throw new StoreFailure('garbage', `announced ${resultCount} results and sent ${results.length}`);
  }
  return results;
}

function atRow(error: z.ZodError, place: number): z.ZodError {
  return new z.ZodError(error.issues.map((issue) => ({ ...issue, path: [place, ...issue.path] })));
}
