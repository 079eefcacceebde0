import { useEffect } from 'preact/hooks';
import * as texts from '#texts';
import { ApiText } from '../../parts/api-text.tsx';
import { useCountdown } from '../../parts/error-note.tsx';
import { formatNumber } from '../../text/format.ts';
import { titleOf } from '../../title-of.ts';
import type { ProblemModel } from './model.ts';

export function Problem({ model }: { model: ProblemModel }) {
  const seconds = useCountdown(model.retryAfterSeconds);
  const isDue = model.reloads && seconds <= 0;
  useEffect(() => {
    if (isDue) location.reload();
  }, [isDue]);
  return (
    <main id="main" class="narrow">
      <h1>{titleOf({ page: 'problem', frame: null, model })}</h1>
      <p>
        <ApiText>{model.message}</ApiText>
      </p>
      <p>{texts.error.works[model.works]}</p>
      <p class="muted">{texts.error.requestId(model.requestId)}</p>
      {seconds > 0 && <p>{texts.error[model.reloads ? 'goesOnIn' : 'retryIn'](formatNumber(seconds))}</p>}
      <p>
        {model.canRetry && (
          <button type="button" class="main" disabled={seconds > 0} onClick={() => location.reload()}>
            {texts.error.retry}
          </button>
        )}{' '}
        <a href="/dashboard">{texts.nav.overview}</a>
      </p>
    </main>
  );
}
