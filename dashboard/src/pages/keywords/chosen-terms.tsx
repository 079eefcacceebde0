import { useState } from 'preact/hooks';
import type { AppHead } from '../../page-data.ts';
import { ApiText } from '../../parts/api-text.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { callsOf } from './split-terms.ts';
import { type Outcome, trackKeywords } from './track-keywords.ts';

export type ChosenTerms = ReturnType<typeof useChosenTerms>;

/** Terms that a person chooses and then tracks. What fails stays chosen, so that another try sends only what is left. */
export function useChosenTerms() {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [outcomes, setOutcomes] = useState<Outcome[]>([]);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setIsBusy] = useState(false);

  const choose = (term: string, isChosen: boolean) =>
    setChosen((now) => new Set(isChosen ? [...now, term] : [...now].filter((one) => one !== term)));
  const track = async (app: AppHead) => {
    setError(null);
    setIsBusy(true);
    setOutcomes([]);
    try {
      for (const sent of callsOf([...chosen])) {
        const added = await trackKeywords(app, sent);
        setOutcomes((now) => [...now, ...added]);
        setChosen((now) => new Set([...now].filter((term) => !sent.includes(term))));
      }
    } catch (failure) {
      setError(failure);
    }
    setIsBusy(false);
  };
  return {
    chosen,
    choose,
    chooseOnly: (terms: readonly string[]) => setChosen(new Set(terms)),
    track,
    outcomes,
    error,
    isBusy,
  };
}

/** What became of each term that was sent. */
export function TrackOutcomes({ of: { outcomes, error } }: { of: ChosenTerms }) {
  return (
    <>
      <ErrorNote error={error} />
      <div role="status" class="outcomes">
        <ul>
          {outcomes.map(({ keyword, success, error: problem }, index) => (
            <li key={`${index} ${keyword}`} class={problem ? 'down' : undefined}>
              <ApiText>{problem ? `${keyword}: ${problem}` : success}</ApiText>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}
