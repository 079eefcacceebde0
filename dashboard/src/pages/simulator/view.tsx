import { useState } from 'preact/hooks';
import * as texts from '#texts';
import { callApi, callPage } from '../../parts/api.ts';
import { ApiText } from '../../parts/api-text.tsx';
import { callPatiently } from '../../parts/call-each.ts';
import { Storefront } from '../../parts/shell.tsx';
import { ErrorOrSignIn } from '../../parts/sign-in-again.tsx';
import { say } from '../../parts/toasts.tsx';
import { formatTime } from '../../text/format.ts';
import type { FieldKey } from '../listing/model.ts';
import { DraftField } from './draft-field.tsx';
import { asLive, changedTexts, isOfDraft, takeTexts, typeText } from './draft-texts.ts';
import type { SimulatorModel, Texts } from './model.ts';
import { notesForPeople } from './notes-for-people.ts';
import { Comparison, RunView } from './run-view.tsx';
import { Runs } from './runs.tsx';
import { type Keeping, useDraft } from './use-draft.ts';

const words = texts.simulator;

type ScoreAnswer = { data: { saved: { id: number }; notes: string[] } };

export function Simulator({ model: first, email }: { model: SimulatorModel; email: string }) {
  const [model, setModel] = useState(first);
  const draft = useDraft(first);
  const { app, fields, run, comparison } = model;
  const page = `/dashboard/apps/${app.id}/simulator`;
  const labelOf = (key: FieldKey) => fields.find((field) => field.key === key)?.label ?? key;

  /** Shows a run and the one it is compared with; the text that is typed stays. */
  const show = async (ids: { run?: string; with?: string }) => {
    const query = new URLSearchParams(ids);
    const address = query.size > 0 ? `${page}?${query}` : page;
    const answer = await callPatiently(() => callPage<{ model: SimulatorModel }>(address));
    setModel(answer.model);
    history.replaceState(null, '', address);
  };
  const scoring = useScoring(app.id, (id) => show({ run: id }));
  const replace = (texts: Texts, message: string) => {
    const before = draft.texts;
    draft.change(texts);
    say(message, () => draft.change(before));
  };
  return (
    <>
      <p>
        <Storefront app={app} />
      </p>
      <p class="muted">{words.nothingSaved}</p>
      {fields.map((field) => (
        <DraftField
          key={field.key}
          field={field}
          draft={draft.texts}
          lang={app.lang}
          warnings={draft.checked.warnings[field.key] ?? []}
          onType={(text) => draft.change(typeText(draft.texts, field, text))}
          onUseLive={() => draft.change({ ...draft.texts, [field.key]: null })}
        />
      ))}
      <Notes notes={draft.checked.notes} />
      <p class="muted" role="status">
        {sayKeeping(draft.keeping)}
      </p>
      <ErrorOrSignIn error={draft.error} email={email} onRetry={draft.retry} />
      <p class="row">
        <button
          type="button"
          class="main"
          disabled={scoring.isBusy}
          aria-describedby="cost"
          onClick={() => scoring.score(draft.texts)}
        >
          {words.score}
        </button>
        <span id="cost" class="muted">
          {words.cost}
        </span>
        {draft.keeping !== 'none' && (
          <button type="button" onClick={() => replace(asLive, words.startedAgain)}>
            {words.startAgain}
          </button>
        )}
      </p>
      <p role="status">{scoring.isBusy && words.scoring}</p>
      <ErrorOrSignIn
        error={scoring.error}
        email={email}
        onRetry={() => {
          scoring.forgive();
          draft.retry();
        }}
      />
      <Notes notes={scoring.notes} />
      {run !== null && (
        <>
          <RunView run={run} isOfDraft={isOfDraft(run.texts, draft.texts, fields)} labelOf={labelOf} />
          <p>
            <button type="button" onClick={() => replace(takeTexts(run.texts, fields), words.taken)}>
              {words.take}
            </button>
          </p>
        </>
      )}
      {run !== null && comparison !== null && (
        <Comparison
          run={run}
          comparison={comparison}
          labelOf={labelOf}
          onClose={() => scoring.attempt(() => show({ run: run.id }))}
        />
      )}
      <h2>{words.runs}</h2>
      <Runs
        model={model}
        onShow={(id) => scoring.attempt(() => show({ run: id }))}
        onCompare={(id) => run && scoring.attempt(() => show({ run: run.id, with: id }))}
      />
    </>
  );
}

/** The score of a draft, which spends; what is read afterwards is kept, and free. */
function useScoring(appId: string, onScored: (id: string) => Promise<void>) {
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [notes, setNotes] = useState<readonly string[]>([]);

  const attempt = async (work: () => Promise<void>) => {
    setError(null);
    setNotes([]);
    await work().catch(setError);
  };
  const score = async (draft: Texts) => {
    setIsBusy(true);
    await attempt(async () => {
      const body = { app_id: Number(appId), ...changedTexts(draft), include_words: true };
      // What was typed just before is kept and checked within the same windows.
      const { data } = await callPatiently(() =>
        callApi<ScoreAnswer>('/metadata/simulate', { method: 'POST', body }),
      );
      await onScored(String(data.saved.id));
      setNotes(notesForPeople(data.notes));
    });
    setIsBusy(false);
  };
  return { isBusy, error, notes, attempt, score, forgive: () => setError(null) };
}

function Notes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <ul class="list" aria-label={words.notes}>
      {notes.map((note) => (
        <li key={note}>
          <ApiText>{note}</ApiText>
        </li>
      ))}
    </ul>
  );
}

function sayKeeping(keeping: Keeping): string {
  if (typeof keeping === 'object') return words.kept(formatTime(keeping.at));
  return { busy: words.keeping, none: words.notKept, failed: '' }[keeping];
}
