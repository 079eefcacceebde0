import { z } from 'zod';
import { StoreFailure } from '../../store-health/store-failure.ts';
import { dropRepeated } from '../drop-repeated.ts';
import { malformedAnswer } from '../malformed-answer.ts';
import { type FoundRow, foundRow, type ItunesRow, itunesRow } from './itunes-row.ts';

const envelope = z.object({ resultCount: z.int().nonnegative(), results: z.array(z.unknown()) });

/**
 * The apps of a search page, in the store's order. One row without an id, or of other content, fails the whole page:
 * leaving it out would improve the ranks of all apps below it. Any other unreadable field is null. A page without results is an
 * empty list.
 * @throws StoreFailure `malformed`
 */
export function parseSearchPage(body: unknown): FoundRow[] {
  const parsed = z.array(foundRow).safeParse(parseEnvelope(body));
  if (!parsed.success) throw malformedAnswer(parsed.error);
  return dropRepeated(parsed.data, ({ trackId }) => trackId);
}

/** The key that requests an app in a look-up and identifies it in the answer. */
export type LookupKey = { field: 'trackId'; id: number } | { field: 'bundleId'; id: string };

/**
 * The outcome of a look-up for one app: its row, the failure to read it, or null when the storefront has no such app.
 */
export type LookupOutcome = ItunesRow | StoreFailure | null;

/**
 * The outcome of a look-up for each requested app, in the order of the request. An unreadable row that has the id of a
 * requested app fails only that app.
 * @throws StoreFailure `malformed`, so that the call is retried, when a row was not requested or every app has failed
 */
export function parseLookupPage(body: unknown, requested: readonly LookupKey[]): LookupOutcome[] {
  const rows = parseEnvelope(body).map((row, i) => readRow(row, i, requested));
  const outcomes = requested.map((app) => outcomeOf(app, rows));
  const [first] = outcomes;
  if (first instanceof StoreFailure && outcomes.every((outcome) => outcome instanceof StoreFailure))
    throw first;
  return outcomes;
}

type Row = { key: LookupKey; outcome: LookupOutcome };

function readRow(row: unknown, index: number, requested: readonly LookupKey[]): Row {
  const parsed = itunesRow.safeParse(row);
  const key = requested.find((app) => isRowOf(row, app));
  if (key === undefined) {
    if (!parsed.success && !isOtherContent(row)) throw malformedAnswer(atRow(parsed.error, index));
    throw new StoreFailure('malformed', 'sent another app than the requested one');
  }
  if (parsed.success) return { key, outcome: parsed.data };
  return { key, outcome: isOtherContent(row) ? null : malformedAnswer(atRow(parsed.error, index)) };
}

/** Fails when the store sent two apps with the same bundle id: the requested one is not known. */
function outcomeOf(app: LookupKey, rows: readonly Row[]): LookupOutcome {
  const outcomes = rows.filter((row) => row.key === app).map(({ outcome }) => outcome);
  const failure = outcomes.find((outcome) => outcome instanceof StoreFailure);
  if (failure) return failure;
  const apps = outcomes.filter((outcome): outcome is ItunesRow => outcome !== null);
  if (new Set(apps.map(({ trackId }) => trackId)).size > 1) {
    return new StoreFailure('malformed', `sent several apps with the bundle id ${app.id}`);
  }
  return apps[0] ?? null;
}

/** Bundle ids are compared without case: the store has no two that differ only in case. */
function isRowOf(row: unknown, app: LookupKey): boolean {
  const { data } = identity.safeParse(row);
  if (data === undefined) return false;
  if (app.field === 'bundleId') return data.bundleId?.toLowerCase() === app.id.toLowerCase();
  // Rows of other content have the id of a song, album or artist instead.
  return [data.trackId, data.collectionId, data.artistId].find((id) => id !== undefined) === app.id;
}

const optionalId = z.number().optional().catch(undefined);
const identity = z.object({
  trackId: optionalId,
  collectionId: optionalId,
  artistId: optionalId,
  bundleId: z.string().optional().catch(undefined),
});

/** Content other than apps, such as a song, an album or an artist. */
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

function atRow(error: z.ZodError, index: number): z.ZodError {
  return new z.ZodError(error.issues.map((issue) => ({ ...issue, path: [index, ...issue.path] })));
}
