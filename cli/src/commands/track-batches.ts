import { ApiError } from '../api/api-error.ts';
import type { Api } from '../api/create-api.ts';
import { endpoints } from '../api/endpoints.ts';

/** The outcome of one line: what the API says about it, or that it was tracked before. */
export type LineResult =
  | { keyword: string; success: string }
  | { keyword: string; error: string }
  | { keyword: string; known: true };

export type TrackedApp = { id: number; store: string; country: string; lang: string };

/** The API takes at most 20 keywords in a call. */
const batchSize = 20;
const listPageSize = 1000;

/**
 * Tracks lines as keywords of an app, in calls of 20. Keywords that are tracked already are no failures, so an interrupted run
 * can be started again: it goes on. Yields the results of each call.
 * @throws what `api` throws; the lines of earlier calls are tracked then
 */
export async function* trackBatches(
  api: Api,
  app: TrackedApp,
  lines: readonly string[],
): AsyncGenerator<LineResult[]> {
  const known = await readKnown(api, app.id);
  const isKnown = (line: string) => known.has(simplify(line, app.lang));
  const before = lines.filter(isKnown);
  if (before.length > 0) yield before.map((keyword) => ({ keyword, known: true }));
  const open = lines.filter((line) => !isKnown(line));
  for (let start = 0; start < open.length; start += batchSize) {
    const results = await trackBatch(api, app, open.slice(start, start + batchSize));
    for (const result of results) if ('success' in result) known.add(result.keyword);
    yield results.map((result) => toKnown(result, known));
  }
}

/** Sends the keywords again without those that the API refuses to read. */
async function trackBatch(api: Api, app: TrackedApp, keywords: readonly string[]): Promise<LineResult[]> {
  if (keywords.length === 0) return [];
  const { id, store, country, lang } = app;
  const body = { keywords, app_id: id, store, country, lang };
  try {
    const { data } = await api.call<{ results: LineResult[] }>(endpoints.trackKeywords, { body });
    return data.results;
  } catch (error) {
    const problems = findRefused(error);
    if (problems === null) throw error;
    const refused = keywords.flatMap((keyword, index) => {
      const problem = problems.get(index);
      return problem === undefined ? [] : [{ keyword, error: problem }];
    });
    const rest = keywords.filter((_, index) => !problems.has(index));
    if (refused.length === 0) throw error;
    return [...refused, ...(await trackBatch(api, app, rest))];
  }
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
