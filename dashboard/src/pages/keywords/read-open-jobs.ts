import { callApi } from '../../parts/api.ts';
import { callPatiently } from '../../parts/call-each.ts';

/** A job that has not ended. `app_id`: null when its keywords are inspected; `eta`: ISO 8601, null when it is not known. */
export type OpenJob = {
  id: number;
  app_id: number | null;
  total: number;
  done: number;
  failed: number;
  eta: string | null;
};

/** More than there can be: of each kind five are open, and 20 that have ended are kept. */
const mostJobs = 100;

/**
 * The jobs of the account that have not ended, newest first.
 * @throws ApiError
 */
export async function readOpenJobs(): Promise<OpenJob[]> {
  const { data } = await callPatiently(() =>
    callApi<{ data: (OpenJob & { finished_at: string | null })[] }>(`/jobs?per_page=${mostJobs}`),
  );
  return data.filter(({ finished_at: end }) => end === null);
}

/** @throws ApiError */
export function callCancel({ id }: Pick<OpenJob, 'id'>) {
  return callPatiently(() => callApi(`/jobs/${id}`, { method: 'DELETE' }));
}
