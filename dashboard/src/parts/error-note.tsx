import { useEffect, useState } from 'preact/hooks';
import * as texts from '#texts';
import { formatNumber } from '../text/format.ts';
import { ApiError } from './api.ts';
import { ApiText } from './api-text.tsx';

/** What failed, what still works, how to find it in the log, and when to try again. Shows nothing while there is no error. */
export function ErrorNote({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const seconds = useCountdown(error instanceof ApiError ? error.retryAfterSeconds : null);
  if (error === null || error === undefined) return null;
  const message = error instanceof Error ? error.message : texts.error.title;
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <div class="note error" role="alert">
      <p>{requestId === null ? message : <ApiText>{message}</ApiText>}</p>
      {error instanceof ApiError && error.code === 'SIGNED_OUT' && (
        <p>
          <a href="/dashboard/sign-in" target="_blank" rel="noopener">
            {texts.titles.signIn}
          </a>
        </p>
      )}
      <p>{requestId === null ? texts.error.stays : texts.error.onlyThis}</p>
      {requestId && <p class="muted">{texts.error.requestId(requestId)}</p>}
      {seconds > 0 && <p>{texts.error.retryIn(formatNumber(seconds))}</p>}
      {onRetry && (
        <button type="button" disabled={seconds > 0} onClick={onRetry}>
          {texts.error.retry}
        </button>
      )}
    </div>
  );
}

/** The seconds that are left. */
export function useCountdown(from: number | null): number {
  const [left, setLeft] = useState(from ?? 0);
  useEffect(() => setLeft(from ?? 0), [from]);
  useEffect(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);
  return left;
}
