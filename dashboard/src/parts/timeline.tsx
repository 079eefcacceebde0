import { useState } from 'preact/hooks';
import * as texts from '#texts';
import { formatDay } from '../text/format.ts';
import type { ListingChange, Note, Timeline as TimelineData } from '../timeline.ts';
import { callApi } from './api.ts';
import { ChangedTexts, ChangeName } from './changed-listing.tsx';
import { CutName } from './cut-name.tsx';
import { Effect } from './effect.tsx';
import { ErrorNote } from './error-note.tsx';
import { Missing } from './missing.tsx';
import { say } from './toasts.tsx';
import { Value } from './value.tsx';

const words = texts.timeline;

type Entry = { day: string; note: Note } | { day: string; change: ListingChange };

/** Changes of listings and notes by day, the latest first. `onNotes` gets how the notes change when one is added or removed. */
export function Timeline({
  appId,
  lang,
  today,
  timeline,
  onNotes,
}: {
  appId: string;
  lang: string;
  today: string;
  timeline: TimelineData;
  onNotes: (change: (now: Note[]) => Note[]) => void;
}) {
  const { notes, changes, missing } = timeline;
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setIsBusy] = useState(false);
  const path = `/applications/${appId}/notes`;

  const run = async (work: () => Promise<void>) => {
    setError(null);
    setIsBusy(true);
    await work().catch(setError);
    setIsBusy(false);
  };
  const write = async (body: { date: string; text: string }) => {
    type Written = { data: { id: number; date: string; text: string } };
    const { data } = await callApi<Written>(path, { method: 'POST', body });
    onNotes((now) => [{ id: String(data.id), day: data.date, text: data.text }, ...now]);
  };
  const add = (form: HTMLFormElement) =>
    run(async () => {
      const fields = new FormData(form);
      await write({ date: String(fields.get('date')), text: String(fields.get('text')) });
      form.reset();
    });
  const remove = ({ id, day, text }: Note) =>
    run(async () => {
      await callApi(`${path}/${id}`, { method: 'DELETE' });
      onNotes((now) => now.filter((note) => note.id !== id));
      say(words.removed, () => void run(() => write({ date: day, text })));
    });

  const entries: Entry[] = [
    ...notes.map((note) => ({ day: note.day, note })),
    ...changes.map((change) => ({ day: change.day, change })),
  ].sort((one, other) => (one.day < other.day ? 1 : -1));
  return (
    <>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          void add(event.currentTarget as HTMLFormElement);
        }}
      >
        <div class="short">
          <label for="note-date">{words.date}</label>
          <input id="note-date" name="date" type="date" required defaultValue={today} />
        </div>
        <div>
          <label for="note-text">{words.note}</label>
          <input id="note-text" name="text" required maxLength={500} autocomplete="off" />
        </div>
        <button type="submit" disabled={isBusy}>
          {words.add}
        </button>
      </form>
      <ErrorNote error={error} />
      {missing.changes !== null && <Missing reason={missing.changes} nothing={words.none} />}
      {missing.notes !== null && missing.notes !== missing.changes && (
        <Missing reason={missing.notes} nothing={words.none} />
      )}
      {entries.length === 0 && missing.changes === null && <p class="muted">{words.none}</p>}
      <ul class="list timeline">
        {entries.map((entry) =>
          'note' in entry ? (
            <li key={`note ${entry.note.id}`}>
              {formatDay(entry.day)} <span class="muted">{words.kinds.note}</span>{' '}
              <bdi dir="auto">{entry.note.text}</bdi>{' '}
              <button
                type="button"
                disabled={isBusy}
                aria-label={words.removeOf(entry.note.text)}
                onClick={() => void remove(entry.note)}
              >
                {words.remove}
              </button>
            </li>
          ) : (
            <li key={entry.change.id}>
              <Change appId={appId} lang={lang} change={entry.change} />
            </li>
          ),
        )}
      </ul>
      {timeline.hasMore && <p class="muted">{words.hasMore}</p>}
    </>
  );
}

function Change({ appId, lang, change }: { appId: string; lang: string; change: ListingChange }) {
  const { simulation } = change;
  return (
    <>
      {formatDay(change.day)} <CutName name={change.appName} lang={lang} />{' '}
      {!change.isOwn && <span class="muted">{words.rival}</span>} <ChangeName change={change} />
      {simulation && (
        <p>
          <a href={`/dashboard/apps/${appId}/simulator?run=${simulation.id}`}>
            {words.runName(simulation.id)}
          </a>{' '}
          {words.predicted} <Value of={simulation.predicted} />
        </p>
      )}
      <ChangedTexts fields={change.fields} lang={lang} />
      {change.hasEffect && <Effect appId={appId} changeId={change.id} day={change.day} />}
    </>
  );
}
