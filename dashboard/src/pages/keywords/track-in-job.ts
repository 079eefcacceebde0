import { callApi } from '../../parts/api.ts';
import { callPatiently, waitSeconds } from '../../parts/call-each.ts';
import type { KeywordsModel } from './model.ts';
import type { Outcome } from './track-keywords.ts';

const lookEverySeconds = 2;
/** A look that failed is repeated so late and so often: a lid may be closed, or a network change. */
const retrySeconds = 10;
const maxFailedLooks = 10;
const rowsPerPage = 200;

type Job = {
  id: number;
  done: number;
  failed: number;
  finished_at: string | null;
  /** neither: it was canceled before the keyword began */
  results: { keyword: string; tracked: { success: string } | null; error: { message: string } | null }[];
};

/**
 * Tracks up to 500 keywords in a job, which goes on when the page is left, and returns an outcome for each that has begun.
 * @param onMade called when the job is there: to send the keywords again would make a second one
 * @param onDone called with the number of keywords that have ended
 * @throws ApiError; a job that was made goes on
 */
export async function trackInJob(
  { id }: Pick<KeywordsModel['app'], 'id'>,
  keywords: readonly string[],
  { onMade, onDone }: { onMade: () => void; onDone: (done: number) => void },
  wait = waitSeconds,
): Promise<Outcome[]> {
  const call = async (path: string, body?: object) =>
    (await callPatiently(() => callApi<{ data: Job }>(path, body ? { method: 'POST', body } : {}), wait))
      .data;
  const made = await call('/jobs', { kind: 'track_keywords', app_id: Number(id), keywords });
  onMade();
  const read = async (page: number, rows: number) => {
    for (let failed = 1; ; failed++)
      try {
        return await call(`/jobs/${made.id}?page=${page}&per_page=${rows}`);
      } catch (error) {
        if (failed === maxFailedLooks) throw error;
        await wait(retrySeconds);
      }
  };
  for (;;) {
    await wait(lookEverySeconds);
    const { done, failed, finished_at: end } = await read(1, 1);
    onDone(done + failed);
    if (end !== null) break;
  }
  const outcomes: Outcome[] = [];
  for (let page = 1; (page - 1) * rowsPerPage < keywords.length; page++)
    for (const { keyword, tracked, error } of (await read(page, rowsPerPage)).results)
      if (tracked) outcomes.push({ keyword, success: tracked.success });
      else if (error) outcomes.push({ keyword, error: error.message });
  return outcomes;
}
