import * as texts from '#texts';
import type { Unknown } from '../figure.ts';

/** In place of a part of a page: why it could not be read, or what it says when nothing is there. */
export function Missing({ reason, nothing }: { reason: Unknown | null; nothing: string }) {
  return (
    <p class="muted">
      {reason === null ? nothing : texts.figure.unknown[reason]}{' '}
      {reason === 'no_answer' && (
        <button type="button" onClick={() => location.reload()}>
          {texts.error.retry}
        </button>
      )}
    </p>
  );
}
