import { useState } from 'preact/hooks';
import * as texts from '#texts';
import { ApiText } from '../../parts/api-text.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { formatNumber } from '../../text/format.ts';
import type { KeywordsModel } from './model.ts';
import { OpenJobs } from './open-jobs.tsx';
import { callsOf, splitTerms, termsPerCall, termsPerJob } from './split-terms.ts';
import { trackInJob } from './track-in-job.ts';
import { type Outcome, trackKeywords } from './track-keywords.ts';

const words = texts.addKeywords;

/** A box for pasted terms, one a line. More than one call takes are sent as a job; what is not sent stays in the box. */
export function AddKeywords({ app, onAdded }: { app: KeywordsModel['app']; onAdded: () => Promise<void> }) {
  const [text, setText] = useState('');
  const [sent, setSent] = useState<{ done: number; total: number } | null>(null);
  const [outcomes, setOutcomes] = useState<Outcome[]>([]);
  const [error, setError] = useState<unknown>(null);
  const [made, setMade] = useState(0);

  const send = async () => {
    const terms = splitTerms(text).flat();
    const total = terms.length;
    const isLong = total > termsPerCall;
    const calls = callsOf(terms, isLong ? termsPerJob : termsPerCall);
    setOutcomes([]);
    setError(null);
    let done = 0;
    for (const [index, part] of calls.entries()) {
      const before = done;
      const show = (ended: number) => setSent({ done: before + ended, total });
      const rest = calls
        .slice(index + 1)
        .flat()
        .join('\n');
      const onMade = () => {
        setText(rest);
        setMade((now) => now + 1);
      };
      show(0);
      try {
        const added = await (isLong
          ? trackInJob(app, part, { onMade, onDone: show })
          : trackKeywords(app, part));
        setOutcomes((now) => [...now, ...added]);
      } catch (err) {
        setError(err);
        break;
      }
      done += part.length;
      // A job has taken its part out at once, and lasts: what was typed since stays.
      if (!isLong) setText(rest);
    }
    setSent(null);
    if (done > 0) await onAdded();
  };

  return (
    <>
      <details open={outcomes.length > 0 || undefined}>
        <summary>{words.title}</summary>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void send();
          }}
        >
          <label for="terms">{words.label(formatNumber(termsPerCall))}</label>
          <textarea
            id="terms"
            rows={5}
            value={text}
            required
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <button class="main" type="submit" disabled={sent !== null}>
            {sent === null ? words.submit : words.progress(formatNumber(sent.done), formatNumber(sent.total))}
          </button>
          <ErrorNote error={error} onRetry={() => void send()} />
          <div role="status">
            <ul>
              {outcomes.map(({ keyword, success, error: problem }, index) => (
                <li key={`${index} ${keyword}`} class={problem ? 'down' : undefined}>
                  <ApiText>{problem ? `${keyword}: ${problem}` : success}</ApiText>
                </li>
              ))}
            </ul>
          </div>
        </form>
      </details>
      {/* Looks at once when a job is made. */}
      <OpenJobs key={made} app={app} onEnded={onAdded} />
    </>
  );
}
