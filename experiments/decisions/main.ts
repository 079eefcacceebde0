import { readOptions } from '../lib/options.ts';
import { auditSubtitles, type Deltas, type RecordedStore } from './audit-subtitles.ts';
import { chooseListings, eligibleListings, type Half, halves, type Listing } from './choose-listings.ts';
import { createDeveloperOf, ownDeveloperOf } from './developers.ts';
import { answerOf, isAgainst, isMet, type Question, questionsFor } from './questions.ts';
import { type Run, resultsTable } from './results-table.ts';
import { currentScoring, loadScoring, type Scoring } from './scoring-under-test.ts';
import { createSearch } from './search.ts';
import { readApps } from './store-app.ts';
import { createSubtitles, type Subtitles, subtitleKinds } from './subtitles.ts';
import { createSuggest } from './suggest.ts';

const values = readOptions(
  'npm run decisions',
  `The decision test: does honest work on a listing pay? Real listings are put back to their brand, and the pages of the store forget all
their other words. Then four texts are tried in the empty subtitle: the listing's own words, those of another listing of the same
genre, those of one of another genre, and the names of rivals. Honest words must raise the global score, the others must not. Nothing
is read but the file; the same file and sources give the same table. Ends with 1 when a goal is missed.`,
  {
    data: [
      '',
      'apps of the App Store, one per line as JSON: id, title, genre, ratings, score, description',
      'required',
    ],
    ids: [
      'even',
      'listings by their store id, even, odd or all: formulas are tuned on the even ones, the odd ones belong to acceptance',
    ],
    listings: [140, 'at most N listings'],
    before: ['', 'a folder: also the scoring of another checkout, for the same listings and subtitles'],
    details: [false, 'also each listing that speaks against a goal, with its subtitles and what they change'],
  },
);
const half = halves.find((one) => one === values.ids);
if (half === undefined) throw new Error(`--ids ${values.ids}: ${halves.join(', ')}`);

type Case = { listing: Listing; subtitles: Subtitles };

await run(values.data, half);

async function run(file: string, half: Half): Promise<void> {
  const apps = readApps(file);
  const eligible = eligibleListings(apps);
  const search = createSearch(apps);
  const subtitlesFor = createSubtitles(apps, eligible, search);
  const cases = chooseListings(eligible, half, values.listings).map((listing) => ({
    listing,
    subtitles: subtitlesFor(listing),
  }));
  const store = { search, suggest: createSuggest(apps), developerOf: createDeveloperOf(apps) };
  const questions = questionsFor(half);

  const before = values.before === '' ? [] : [await loadScoring(values.before)];
  const runs: Run[] = [];
  for (const scoring of [...before, currentScoring]) {
    const isBefore = scoring !== currentScoring;
    const name = `${isBefore ? 'before: ' : ''}version ${scoring.scoringVersion}`;
    runs.push({ name, deltas: await auditAll(scoring, store, cases) });
  }
  const deltas = runs.at(-1)?.deltas ?? [];
  console.log(`${half} ids: ${cases.length} listings of ${eligible.length}\n`);
  console.log(resultsTable(questions, runs));
  await showInvented(questions, { cases, deltas, store });
  if (values.details) showDetails(questions, cases, deltas);
  if (!questions.every((question) => isMet(question, answerOf(question, deltas)))) process.exitCode = 1;
}

async function auditAll(scoring: Scoring, store: RecordedStore, cases: readonly Case[]): Promise<Deltas[]> {
  const all: Deltas[] = [];
  for (const one of cases) all.push(await auditSubtitles(scoring, store, one));
  return all;
}

/** The recorded apps have no developers. A row that fails only because of an invented one says nothing about the formulas. */
async function showInvented(
  questions: readonly Question[],
  { cases, deltas, store }: { cases: readonly Case[]; deltas: readonly Deltas[]; store: RecordedStore },
): Promise<void> {
  const lines: string[] = [];
  for (const [index, one] of cases.entries()) {
    const failed = questions.filter((question) => isAgainst(question, deltas[index] as Deltas));
    if (failed.length === 0) continue;
    const alone = await auditSubtitles(currentScoring, { ...store, developerOf: ownDeveloperOf }, one);
    const excused = failed.filter((question) => !isAgainst(question, alone));
    for (const { name } of excused) lines.push(`  not "${name}": ${one.listing.app.title}`);
  }
  console.log(
    `\nOnly because its developers are invented (it holds if every app has its own): ${lines.length}`,
  );
  for (const line of lines) console.log(line);
}

function showDetails(
  questions: readonly Question[],
  cases: readonly Case[],
  deltas: readonly Deltas[],
): void {
  for (const [index, { listing, subtitles }] of cases.entries()) {
    const found = deltas[index] as Deltas;
    const failed = questions.filter((question) => isAgainst(question, found));
    if (failed.length === 0) continue;
    console.log(`\n${listing.app.id} ${listing.app.title}: ${failed.map(({ name }) => name).join('; ')}`);
    for (const kind of subtitleKinds)
      if (subtitles[kind] !== null) console.log(`  ${kind} ${signed(found[kind])} ${subtitles[kind]}`);
  }
}

function signed(delta: number | null): string {
  return delta !== null && delta > 0 ? `+${delta}` : String(delta);
}
