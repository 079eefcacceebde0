import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import * as texts from '#texts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { useLooks } from '../../parts/use-looks.ts';
import { formatNumber, formatTime } from '../../text/format.ts';
import type { KeywordsModel } from './model.ts';
import { callCancel, type OpenJob, readOpenJobs } from './read-open-jobs.ts';

const words = texts.addKeywords.jobs;

/**
 * The jobs of the account that go on, also those that another page has made, with a way to end them. Nothing while there is none;
 * when a look fails, what was known.
 * @param onEnded called when one of them has ended: keywords may have come
 */
export function OpenJobs({ app, onEnded }: { app: KeywordsModel['app']; onEnded: () => Promise<void> }) {
  const [jobs, setJobs] = useState<readonly OpenJob[]>([]);
  const [error, setError] = useState<unknown>(null);
  const known = useRef<readonly OpenJob[]>([]);

  const look = useCallback(async () => {
    const open = await readOpenJobs().catch(() => known.current);
    const hasEnded = known.current.some(({ id }) => open.every((job) => job.id !== id));
    known.current = open;
    setJobs(open);
    if (hasEnded) await onEnded();
  }, [onEnded]);
  useEffect(() => void look(), [look]);
  useLooks(jobs.length > 0, look);

  const cancel = (job: OpenJob) =>
    callCancel(job)
      .then(() => setError(null), setError)
      .then(look);
  return (
    <>
      {jobs.length > 0 && (
        <section>
          <h2>{words.title}</h2>
          <ul>
            {jobs.map((job) => {
              const said = words[targetOf(job, app)](
                formatNumber(job.done + job.failed),
                formatNumber(job.total),
              );
              return (
                <li key={job.id}>
                  {said} {job.eta !== null && words.until(formatTime(job.eta))}{' '}
                  <ConfirmButton
                    label={words.cancel}
                    name={words.cancelOf(said)}
                    lost={words.lost}
                    onConfirm={() => void cancel(job)}
                  />
                </li>
              );
            })}
          </ul>
        </section>
      )}
      <ErrorNote error={error} />
    </>
  );
}

function targetOf(
  { app_id: appId }: OpenJob,
  { id }: KeywordsModel['app'],
): 'here' | 'elsewhere' | 'inspected' {
  if (appId === null) return 'inspected';
  return String(appId) === id ? 'here' : 'elsewhere';
}
