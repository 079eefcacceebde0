import { useCallback, useState } from 'preact/hooks';
import * as texts from '#texts';
import { numberOf } from '../../figure.ts';
import { callApi, callPage } from '../../parts/api.ts';
import { ApiText } from '../../parts/api-text.tsx';
import { Arrivals } from '../../parts/arrivals.tsx';
import { Progress } from '../../parts/audit-progress.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { Storefront } from '../../parts/shell.tsx';
import { Timeline } from '../../parts/timeline.tsx';
import { useLooks } from '../../parts/use-looks.ts';
import { Value } from '../../parts/value.tsx';
import { formatNumber, formatTime } from '../../text/format.ts';
import { Flags } from './flags.tsx';
import type { FieldKey, ListingField, ListingModel } from './model.ts';

const words = texts.listing;

export function Listing({ model: first, today }: { model: ListingModel; today: string }) {
  const { app } = first;
  const [model, setModel] = useState(first);
  const isPending = model.awaited !== null;
  const isFirst = isPending && model.flags === null;
  // What is typed and noted on the page stays. A look that fails changes nothing: another one follows.
  const reload = useCallback(
    () =>
      callPage<{ model: ListingModel }>(`/dashboard/apps/${app.id}/listing`).then(
        (answer) => setModel(answer.model),
        () => {},
      ),
    [app.id],
  );
  useLooks(isPending, reload);
  const [notes, setNotes] = useState(model.timeline.notes);
  return (
    <>
      <p>
        <Storefront app={app} />
      </p>
      <p class="muted">
        {words.nothingSaved} {model.auditedAt !== null && texts.audit.audited(formatTime(model.auditedAt))}
      </p>
      {model.unlistedSince !== null && (
        <p class="note warn">{words.unlisted(formatTime(model.unlistedSince))}</p>
      )}
      {model.notes.map((note) => (
        <div key={note} class="note warn" role="status">
          <p>{words.notes[note]}</p>
          {note === 'pending' && model.awaited !== null && (
            <Progress of={model.awaited} hasEarlier={model.flags !== null} />
          )}
        </div>
      ))}
      <Arrivals pending={isPending ? 1 : 0} words={() => texts.audit.arrived} />
      <h2>{words.fields}</h2>
      {model.fields.some(({ words: all }) => all.some(({ counts }) => numberOf(counts) !== null)) && (
        <p class="muted">{words.countsHint}</p>
      )}
      {model.fields.map((field) => (
        <Field key={field.key} field={field} app={app} />
      ))}
      <h2>{words.wordsToAdd}</h2>
      {isFirst ? (
        <p class="muted">{words.adviceAwaited}</p>
      ) : (
        <WordsToAdd appId={app.id} advised={model.wordsToAdd} fields={model.fields} />
      )}
      {model.flags !== null && (
        <>
          <h2>{words.flags}</h2>
          <Flags flags={model.flags} />
        </>
      )}
      {model.keywordsField !== null && <KeywordsField appId={app.id} kept={model.keywordsField} />}
      <h2 id="timeline">{texts.timeline.title}</h2>
      <Timeline
        appId={app.id}
        lang={app.lang}
        today={today}
        timeline={{ ...model.timeline, notes }}
        onNotes={setNotes}
      />
    </>
  );
}

/** A field as the store counts it, with each word and what it counts. */
function Field({ field, app: { id, lang } }: { field: ListingField; app: ListingModel['app'] }) {
  const excess = (numberOf(field.length) ?? 0) - (numberOf(field.limit) ?? 0);
  return (
    <section class="card field" aria-label={field.label}>
      <h3>
        <ApiText>{field.label}</ApiText>
      </h3>
      {field.state !== 'missing' && (
        <p class="muted">
          {words.lengthOf} <Value of={field.length} /> / <Value of={field.limit} />{' '}
          {excess > 0 && <strong class="over">{words.tooMany(formatNumber(excess))}</strong>}
          {field.score.state !== 'not_applicable' && (
            <>
              {' '}
              · {words.score} <Value of={field.score} />
            </>
          )}
        </p>
      )}
      {field.state === 'scored' ? (
        <p class="text" lang={lang} dir="auto">
          {field.text}
          {field.isCut && '…'}
        </p>
      ) : (
        <p class="muted">{field.state === 'empty' ? words.empty : sayUnknown(field)}</p>
      )}
      {field.isCut && (
        <p>
          <a href={`/dashboard/apps/${id}/simulator`}>{words.whole}</a>
        </p>
      )}
      {field.hint !== null && field.state !== 'missing' && (
        <p>
          <ApiText>{field.hint}</ApiText>
        </p>
      )}
      {field.words.length > 0 && (
        <ul class="words" aria-label={words.words(field.label)}>
          {field.words.map((word) => (
            <li key={word.name} class={`word ${word.status}`}>
              <bdi lang={lang}>{word.name}</bdi> <small>{words.status[word.status]}</small>
              {numberOf(word.counts) !== null && (
                <small>
                  {' · '}
                  {words.counts} <Value of={word.counts} decimals={0} />
                </small>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Of a keywords field, which no store publishes, and of one that could not be read. */
function sayUnknown({ key }: ListingField): string {
  return key === 'kw_field' ? words.neverShown : words.notRead;
}

function WordsToAdd({
  appId,
  advised,
  fields,
}: {
  appId: string;
  advised: ListingModel['wordsToAdd'];
  fields: readonly ListingField[];
}) {
  if (advised === null) return <p class="muted">{words.wordsToAddUnknown}</p>;
  if (advised.length === 0) return <p class="muted">{words.noWordsToAdd}</p>;
  const labelOf = (field: FieldKey) => fields.find(({ key }) => key === field)?.label ?? field;
  return (
    <>
      <p class="muted">{words.wordsToAddHint}</p>
      <Scroll label={words.wordsToAdd} asCards>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.word}</th>
              <th scope="col">{words.adds}</th>
              <th scope="col" class="n">
                {texts.keywordList.traffic}
              </th>
              <th scope="col" class="n">
                {texts.keywordList.difficulty}
              </th>
              <th scope="col" class="n">
                {texts.keywordList.rank}
              </th>
              <th scope="col" class="n">
                {words.genreShare}
              </th>
              <th scope="col">{words.source}</th>
            </tr>
          </thead>
          <tbody>
            {advised.map((word) => (
              <tr key={word.name}>
                <th scope="row">
                  <bdi>{word.name}</bdi>
                </th>
                <td>
                  {word.places.map(({ field, text, adds }) => (
                    <div key={field} class="nowrap">
                      <ApiText>{labelOf(field)}</ApiText>
                      {text !== word.name && (
                        <>
                          : <bdi>{text}</bdi>
                        </>
                      )}{' '}
                      {(numberOf(adds) ?? 0) > 0 && '+'}
                      <Value of={adds} />{' '}
                      <a
                        href={`/dashboard/apps/${appId}/simulator?${new URLSearchParams({ add: word.name, field })}`}
                        aria-label={`${texts.keywordList.tryWord(word.name)}: ${labelOf(field)}`}
                      >
                        {texts.keywordList.tryIt}
                      </a>
                    </div>
                  ))}
                </td>
                <td class="n">
                  <Value of={word.traffic} />
                </td>
                <td class="n">
                  <Value of={word.difficulty} />
                </td>
                <td class="n">
                  {word.rank === null ? <small>{words.noRank}</small> : <Value of={word.rank} />}
                </td>
                <td class="n">
                  <Value of={word.genreShare} />
                </td>
                <td>{words.sources[word.source]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}

/** The field that the store never shows, as the account keeps it. */
function KeywordsField({ appId, kept }: { appId: string; kept: NonNullable<ListingModel['keywordsField']> }) {
  const [text, setText] = useState(kept.text ?? '');
  const [since, setSince] = useState(kept.updatedAt);
  const [said, setSaid] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setIsBusy] = useState(false);
  const path = `/applications/${appId}/keywords-field`;
  const limit = numberOf(kept.limit) ?? 0;

  const act = (work: Promise<void>) => {
    setIsBusy(true);
    setError(null);
    setSaid('');
    work.catch(setError).finally(() => setIsBusy(false));
  };
  const keep = () =>
    act(
      callApi<{ data: { updated_at: string } }>(path, { method: 'PUT', body: { kw_field: text } }).then(
        ({ data }) => {
          setSince(data.updated_at);
          setSaid(words.kept);
        },
      ),
    );
  const forget = () =>
    act(
      callApi(path, { method: 'DELETE' }).then(() => {
        setText('');
        setSince(null);
        setSaid(words.forgotten);
      }),
    );
  return (
    <>
      <h2>{words.keywordsField}</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          keep();
        }}
      >
        <p class="muted">{words.keywordsFieldHint}</p>
        <label for="keywords-field">
          {words.keywordsField}{' '}
          <span class={text.length > limit ? 'over' : 'muted'}>
            {words.of(formatNumber(text.length), formatNumber(limit))}
          </span>
        </label>
        <textarea
          id="keywords-field"
          rows={3}
          value={text}
          spellcheck={false}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <p class="muted">{since === null ? words.notKept : words.keptSince(formatTime(since))}</p>
        <p class="row">
          <button type="submit" class="main" disabled={isBusy || text.length > limit}>
            {words.keep}
          </button>
          {since !== null && (
            <button type="button" disabled={isBusy} onClick={forget}>
              {words.forget}
            </button>
          )}
        </p>
        <p role="status">{said}</p>
        <ErrorNote error={error} />
      </form>
    </>
  );
}
