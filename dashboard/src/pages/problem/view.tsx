import { texts } from '../../text/texts.ts';
import type { ProblemModel } from './model.ts';

export function Problem({ model }: { model: ProblemModel }) {
  return (
    <main id="main" class="narrow">
      <h1>{texts.error.title}</h1>
      <p>{model.message}</p>
      <p class="muted">{texts.error.requestId(model.requestId)}</p>
      <p>
        {model.canRetry && (
          <button type="button" class="main" onClick={() => location.reload()}>
            {texts.error.retry}
          </button>
        )}{' '}
        <a href="/dashboard">{texts.nav.overview}</a>
      </p>
    </main>
  );
}
