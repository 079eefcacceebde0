import { ApiError } from '../api/api-error.ts';
import type { Api } from '../api/create-api.ts';
import { endpoints } from '../api/endpoints.ts';
import type { CommandRun } from './define-command.ts';
import { createJob, type JobResult, listOpenJobs, watchJob } from './track-in-job.ts';

/** The outcome of one line: what the API says about it, or that it was tracked before. */
export type LineResult =
  | { keyword: string; success: string }
  | { keyword: string; error: string }
  | { keyword: string; known: true };

export type TrackedApp = { id: number; store: string; country: string; lang: string };

type Run = Pick<CommandRun, 'api' | 'pause' | 'note' | 'progress'>;

/** The API takes at most 20 keywords in a call. More are a job. */
const batchSize = 20;
/** Of a job. */
const jobSize = 500;
const listPageSize = 1000;

/**
 * Tracks lines as keywords of an app: up to 20 in a call, more in jobs, which go on when the command is interrupted. Keywords that are
 * tracked already are no failures, so an interrupted run can be started again: it waits for its job, and goes on. Yields results as
 * they come.
 * @throws what `api` throws; the lines of earlier calls are tracked then
 */
export async function* trackBatches(
  run: Run,
  app: TrackedApp,
  lines: readonly string[],
): AsyncGenerator<LineResult[]> {
  const { api } = run;
  const isLong = lines.length > batchSize;
  if (isLong) await waitForJobs(run, app);
  const known = await readKnown(api, app.id);
  const isKnown = (line: string) => known.has(simplify(line, app.lang));
  const before = lines.filter(isKnown);
  if (before.length > 0) yield before.map((keyword) => ({ keyword, known: true }));
  const open = lines.filter((line) => !isKnown(line));
  if (open.length <= batchSize) {
    yield* trackInCall(api, app, { keywords: open, known });
    return;
  }
  for (let start = 0; start < open.length; start += jobSize)
    yield* trackInJob(run, app, open.slice(start, start + jobSize));
}

/** An interrupted run has left a job that goes on. */
async function waitForJobs(run: Run, app: TrackedApp): Promise<void> {
  for (const job of await listOpenJobs(run.api, app.id)) {
    let done = 0;
    for await (const results of watchJob(run, job)) {
      done += results.length;
      run.progress(`job ${job.id}, which goes on: ${done} of ${job.total} keywords`);
    }
  }
}

async function* trackInCall(
  api: Api,
  { id, store, country, lang }: TrackedApp,
  { keywords, known }: { keywords: readonly string[]; known: Set<string> },
): AsyncGenerator<LineResult[]> {
  const { refused, answer } = await sendReadable(keywords, async (readable) => {
    const body = { keywords: readable, app_id: id, store, country, lang };
    return (await api.call<{ results: LineResult[] }>(endpoints.trackKeywords, { body })).data;
  });
  const results = [...refused, ...(answer?.results ?? [])];
  for (const result of results) if ('success' in result) known.add(result.keyword);
  if (results.length > 0) yield results.map((result) => toKnown(result, known));
}

async function* trackInJob(
  run: Run,
  { id }: TrackedApp,
  keywords: readonly string[],
): AsyncGenerator<LineResult[]> {
  const { refused, answer: job } = await sendReadable(keywords, (readable) =>
    createJob(run.api, id, readable),
  );
  if (refused.length > 0) yield refused;
  if (job === null) return;
  run.note(`Job ${job.id} tracks ${job.total} keywords. It goes on without this command.`);
  const left = new Set(keywords);
  for (const { keyword } of refused) left.delete(keyword);
  for await (const results of watchJob(run, job)) {
    for (const { keyword } of results) left.delete(keyword);
    yield results.map(toLineResult);
  }
  // The job leaves out other spellings of its keywords.
  if (left.size > 0) yield [...left].map((keyword) => ({ keyword, known: true }));
}

function toLineResult({ keyword, tracked, error }: JobResult): LineResult {
  if (tracked) return { keyword: tracked.keyword, success: tracked.success };
  if (error?.code === 'DUPLICATE') return { keyword, known: true };
  return { keyword, error: error?.message ?? 'The job was canceled.' };
}

/**
 * Sends keywords, and again without those that the API refuses to read. `answer` is null when none is left.
 * @throws what `send` throws otherwise
 */
async function sendReadable<Answer>(
  keywords: readonly string[],
  send: (readable: readonly string[]) => Promise<Answer>,
): Promise<{ refused: LineResult[]; answer: Answer | null }> {
  const refused: LineResult[] = [];
  for (let readable = keywords; readable.length > 0; ) {
    try {
      return { refused, answer: await send(readable) };
    } catch (error) {
      const problems = findRefused(error);
      if (problems === null) throw error;
      const found = readable.flatMap((keyword, index) => {
        const problem = problems.get(index);
        return problem === undefined ? [] : [{ keyword, error: problem }];
      });
      if (found.length === 0) throw error;
      refused.push(...found);
      readable = readable.filter((_, index) => !problems.has(index));
    }
  }
  return { refused, answer: null };
}

/** Another spelling of a tracked keyword is refused as tracked: the keyword of the result is the normal form. */
function toKnown(result: LineResult, known: ReadonlySet<string>): LineResult {
  return 'error' in result && known.has(result.keyword) ? { keyword: result.keyword, known: true } : result;
}

/** The normal forms of the keywords that are tracked for the app. */
async function readKnown(api: Api, appId: number): Promise<Set<string>> {
  const known = new Set<string>();
  for (let page = 1; ; page++) {
    const { data, meta } = await api.call<{ keyword: string }[]>(endpoints.listKeywords, {
      query: { app_id: String(appId), page: String(page), per_page: String(listPageSize) },
    });
    for (const { keyword } of data) known.add(keyword);
    if (meta.has_more !== true) return known;
  }
}

/** Close to the normal form of the API. Where it differs, the API is asked. */
function simplify(line: string, lang: string): string {
  return line.normalize('NFKC').toLocaleLowerCase(lang).replace(/\s+/g, ' ').trim();
}

/** The problems of single keywords by their position in the call; null: the call failed for another reason. */
function findRefused(error: unknown): Map<number, string> | null {
  if (!(error instanceof ApiError) || error.code !== 'INVALID_PARAMS') return null;
  const { keywords = [], ...others } = error.fieldErrors;
  if (Object.keys(others).length > 0 || keywords.length === 0) return null;
  const found = keywords.map((problem) => /^item (\d+) (.*)$/s.exec(problem));
  if (found.includes(null)) return null;
  return new Map(found.map((match) => [Number(match?.[1]) - 1, match?.[2] ?? '']));
}
