import type { Api } from '../api/create-api.ts';
import { endpoints } from '../api/endpoints.ts';
import type { CommandRun } from './define-command.ts';

type Job = { id: number; total: number };

/** What became of one keyword of a job. */
export type JobResult = {
  keyword: string;
  state: 'waiting' | 'done' | 'failed' | 'canceled';
  /** Only when it is done. */
  tracked: { keyword: string; success: string } | null;
  /** Only when it failed. */
  error: { code: string; message: string } | null;
};

type ListedJob = Job & { kind: string; app_id: number | null; finished_at: string | null };

/** The most that the API shows on a page. */
const rowsPerPage = 200;
/** A key may make 59 calls a minute: so often each page of a job is read. */
const lookEveryMs = 2000;

/**
 * Makes a job that tracks keywords of an app. It goes on without the command.
 * @param keywords at most 500: in any script their body is below the limit of 256 KiB
 */
export async function createJob(api: Api, appId: number, keywords: readonly string[]): Promise<Job> {
  const body = { kind: 'track_keywords', app_id: appId, keywords };
  return (await api.call<Job>(endpoints.createJob, { body })).data;
}

/** The jobs that track keywords of an app and have not ended: all that there can be are on one page. */
export async function listOpenJobs(api: Api, appId: number): Promise<Job[]> {
  const query = { per_page: String(rowsPerPage) };
  const { data } = await api.call<ListedJob[]>(endpoints.listJobs, { query });
  return data.filter(
    (job) => job.kind === 'track_keywords' && job.app_id === appId && job.finished_at === null,
  );
}

/**
 * Looks at a job until it has ended. Yields the results that have come since the last look: those of a page in their order, each
 * once.
 */
export async function* watchJob(
  { api, pause }: Pick<CommandRun, 'api' | 'pause'>,
  { id, total }: Job,
): AsyncGenerator<JobResult[]> {
  const pages = Math.ceil(total / rowsPerPage);
  const shown = new Set<number>();
  for (;;) {
    for (let page = 1; page <= pages; page++) {
      const first = (page - 1) * rowsPerPage;
      const last = Math.min(page * rowsPerPage, total);
      const isShown = Array.from({ length: last - first }, (_, at) => shown.has(first + at));
      if (!isShown.includes(false)) continue;
      const query = { page: String(page), per_page: String(rowsPerPage) };
      const { data } = await api.call<{ results: JobResult[] }>(endpoints.getJob, {
        params: { id: String(id) },
        query,
      });
      const ended: JobResult[] = [];
      for (const [at, result] of data.results.entries()) {
        if (result.state === 'waiting' || isShown[at]) continue;
        shown.add(first + at);
        ended.push(result);
      }
      if (ended.length > 0) yield ended;
    }
    if (shown.size >= total) return;
    await pause(pages * lookEveryMs);
  }
}
