import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartError } from '@shelfwise/runtime/process/start-error';
import { z } from 'zod';
import { termKey } from './parse-known-terms.ts';
import type { TermReading } from './term-reading.ts';
import { explainFileError, replaceFile } from './write-files.ts';

const headerSchema = z.object({ format: z.literal(1), input_sha256: z.string() });

const readingSchema = z.object({
  storefront: z.object({ store: z.enum(['ITUNES', 'GPLAY']), country: z.string(), lang: z.string() }),
  term: z.string(),
  traffic: z.number().nullable(),
  difficulty: z.number().nullable(),
  kei: z.number().nullable(),
  is_partial: z.boolean(),
  is_second_look_due: z.boolean(),
  first_app_ratings: z.number().nullable(),
  read_at: z.string().nullable(),
  source: z.string(),
  scoring_version: z.number(),
}) satisfies z.ZodType<TermReading>;

/** The terms that were read so far, in a file, so that a stopped command goes on where it was. */
export type FinishedTerms = {
  /** by `termKey` */
  readings: ReadonlyMap<string, TermReading>;
  /** @throws StartError when the reading does not belong to the others: sample or live, or the version of the scores */
  add(readings: readonly TermReading[]): void;
};

/**
 * Opens the file, whose first line names the input; each further line is a reading, and the last of a term counts. Lines
 * that a killed command left half-written are removed: their terms are read again.
 * @param inputHash SHA-256 of the input file
 * @param isFresh starts with an empty file
 * @throws StartError when the file is of another input, or cannot be read or written
 */
export function openFinishedTerms(
  path: string,
  { inputHash, isFresh }: { inputHash: string; isFresh: boolean },
): FinishedTerms {
  const header = JSON.stringify({ format: 1, input_sha256: inputHash });
  const readings = new Map<string, TermReading>();
  explainFileError(path, 'written', () => {
    if (isFresh) rmSync(path, { force: true });
    mkdirSync(dirname(path), { recursive: true });
  });
  const text = existsSync(path) ? explainFileError(path, 'read', () => readFileSync(path, 'utf8')) : '';
  const [first = '', ...rest] = text.split('\n');
  // A file without a whole header line has no reading either.
  const kept = text.includes('\n') ? headerSchema.safeParse(parseJson(first)) : null;
  if (kept?.success === false)
    throw new StartError(`${path} was not written by this command. Choose another folder with --out.`);
  if (kept && kept.data.input_sha256 !== inputHash)
    throw new StartError(
      `${path} was written for other contents of the input file. Use --fresh to begin again (what Shelfwise read in the last 7 days costs no call to a store), or choose another folder with --out.`,
    );
  for (const line of rest) {
    const reading = readingSchema.safeParse(parseJson(line));
    if (reading.success) readings.set(termKey(reading.data), reading.data);
  }
  // The whole file is written: a line appended to a half-written one would be lost with it.
  replaceFile(
    path,
    [header, ...[...readings.values()].map((reading) => JSON.stringify(reading)), ''].join('\n'),
  );

  return {
    readings,
    add(added) {
      for (const reading of added) {
        refuseMixed(readings.values().next().value, reading, path);
        readings.set(termKey(reading), reading);
      }
      const lines = added.map((reading) => `${JSON.stringify(reading)}\n`).join('');
      explainFileError(path, 'written', () => appendFileSync(path, lines));
    },
  };
}

function refuseMixed(kept: TermReading | undefined, added: TermReading, path: string): void {
  if (kept === undefined) return;
  const isSample = ({ source }: TermReading) => source === 'sample';
  const remedy = 'Use --fresh to begin again, or choose another folder with --out.';
  if (isSample(kept) !== isSample(added)) {
    const name = (reading: TermReading) => (isSample(reading) ? 'the sample' : 'live stores');
    throw new StartError(
      `${path} has terms of ${name(kept)}; this Shelfwise reads ${name(added)}. ${remedy}`,
    );
  }
  if (kept.scoring_version !== added.scoring_version)
    throw new StartError(
      `${path} has scores of version ${kept.scoring_version}; this Shelfwise computes version ${added.scoring_version}. ${remedy}`,
    );
}

/** Undefined if the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
