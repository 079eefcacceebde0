import * as texts from '#texts';
import { ApiText } from '../../parts/api-text.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { Value } from '../../parts/value.tsx';
import { formatTime, isolated } from '../../text/format.ts';
import { Change } from '../keywords/change.tsx';
import { Flags } from '../listing/flags.tsx';
import type { FieldKey } from '../listing/model.ts';
import { statusOf } from '../rivals/status-of.ts';
import type { Run, SimulatorModel, Term, WordChange, WordComparison, WordPlace } from './model.ts';

const words = texts.simulator;

type LabelOf = (field: FieldKey) => string;

/** A scored draft against the live listing. One that is typed meanwhile has no score: what is shown names its run. */
export function RunView({ run, isOfDraft, labelOf }: { run: Run; isOfDraft: boolean; labelOf: LabelOf }) {
  return (
    <>
      <h2>{words.result(run.id, formatTime(run.at))}</h2>
      <p class="muted">
        {words.version(run.scoringVersion)} {run.isAgainstEmptyField && words.emptyField}
      </p>
      {!isOfDraft && <p class="note warn">{words.otherTexts(run.id)}</p>}
      <Axes run={run} label={isOfDraft ? words.draftScore : texts.timeline.runName(run.id)} />
      <h3>{words.words}</h3>
      <p class="muted">{texts.listing.countsHint}</p>
      <Words compared={run.words} labelOf={labelOf} />
      <h3>{words.terms}</h3>
      <Terms run={run} labelOf={labelOf} />
      <h3>{texts.listing.flags}</h3>
      <Flags flags={run.flags} />
    </>
  );
}

/** Bounds are shown while there are some, or words that hold them up. */
function Axes({ run, label }: { run: Run; label: string }) {
  const hasBounds = run.axes.some(({ bounds }) => bounds !== 'nothing_pending');
  return (
    <Scroll label={words.axis}>
      <table class="short">
        <thead>
          <tr>
            <th scope="col">{words.axis}</th>
            <th scope="col" class="n">
              {words.liveThen}
            </th>
            <th scope="col" class="n">
              {label}
            </th>
            <th scope="col" class="n">
              {words.change}
            </th>
            {hasBounds && <th scope="col">{words.bounds}</th>}
          </tr>
        </thead>
        <tbody>
          {run.axes.map(({ key, before, score, change, bounds }) => (
            <tr key={key}>
              <th scope="row">{words.axes[key]}</th>
              <td class="n">
                <Value of={before} />
              </td>
              <td class="n">
                <Value of={score} />
              </td>
              <td class="n">
                <Change change={change} status={statusOf(change)} />
              </td>
              {hasBounds && (
                <td>
                  {typeof bounds === 'string' ? (
                    <small>{words.withoutBounds[bounds]}</small>
                  ) : (
                    <>
                      {words.from} <Value of={bounds.min} /> {words.to} <Value of={bounds.max} />
                    </>
                  )}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** The words that count on one side only, with what they were and what they are. */
export function Words({ compared, labelOf }: { compared: WordComparison; labelOf: LabelOf }) {
  if (!Array.isArray(compared)) {
    const why = { other_version: words.otherVersion, no_words: words.noWords, no_audit: words.noAudit };
    return <p class="muted">{why[compared]}</p>;
  }
  if (compared.length === 0) return <p class="muted">{words.noChanges}</p>;
  return (
    <ul class="list">
      {compared.map((change) => (
        <li key={change.name}>
          <strong class={change.kind === 'won' ? 'up' : 'down'}>{words.kinds[change.kind]}</strong>{' '}
          <bdi>{change.name}</bdi> {texts.listing.counts} <Value of={change.counts} decimals={0} />{' '}
          <small>{explain(change, labelOf)}</small>
        </li>
      ))}
    </ul>
  );
}

function explain({ before, after }: WordChange, labelOf: LabelOf): string {
  const said = (place: WordPlace | null) =>
    place === null ? words.nowhere : words.place(texts.listing.status[place.status], labelOf(place.field));
  return words.becomes(said(before), said(after));
}

function Terms({ run, labelOf }: { run: Run; labelOf: LabelOf }) {
  if (run.terms.length === 0) return <p class="muted">{words.noTerms}</p>;
  return (
    <>
      <p class="muted">{words.termsHint}</p>
      <Scroll label={words.terms} asCards>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.term}</th>
              <th scope="col">{texts.listing.field}</th>
              <th scope="col">{words.verdict}</th>
              {[texts.keywordList.traffic, texts.keywordList.difficulty, words.won, words.lost].map(
                (label) => (
                  <th key={label} scope="col" class="n">
                    {label}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {run.terms.map((term) => (
              <tr key={term.name}>
                <th scope="row">
                  <bdi>{term.name}</bdi>{' '}
                  {term.sameAs !== null && <small>{words.sameAs(isolated(term.sameAs))}</small>}
                </th>
                <td>
                  <ApiText>{labelOf(term.field)}</ApiText>
                </td>
                <td>{sayVerdict(term)}</td>
                {[term.traffic, term.difficulty, term.won, term.lost].map((figure, index) => (
                  <td key={index} class="n">
                    <Value of={figure} decimals={0} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}

/** A term that does not fit the app is no question of how hard it is to win. */
function sayVerdict({ verdict, reason }: Term) {
  if (reason === 'not-your-business' || reason === 'rival-brand') return words.reasons[reason];
  return (
    <>
      {words.verdicts[verdict]} {reason && <small>{words.reasons[reason]}</small>}
    </>
  );
}

/** Words of the draft, or of the live listing, were not read when it was scored. */
function hasUnreadWords({ axes }: Run): boolean {
  return axes.some(({ bounds }) => bounds === 'words_not_read');
}

/** Two runs side by side. Those of different versions have no common scale. */
export function Comparison({
  run,
  comparison: { other, words: compared },
  labelOf,
  onClose,
}: {
  run: Run;
  comparison: NonNullable<SimulatorModel['comparison']>;
  labelOf: LabelOf;
  onClose: () => void;
}) {
  return (
    <section class="card" aria-label={words.compare}>
      <h2>{words.comparison(run.id, other.id)}</h2>
      {[other, run].filter(hasUnreadWords).map(({ id }) => (
        <p key={id} class="note warn">
          {words.unreadInRun(id)}
        </p>
      ))}
      {compared !== 'other_version' && (
        <Scroll label={`${words.compare}: ${words.axis}`}>
          <table class="short">
            <thead>
              <tr>
                <th scope="col">{words.axis}</th>
                {[other, run].map(({ id }) => (
                  <th key={id} scope="col" class="n">
                    {texts.timeline.runName(id)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {run.axes.map(({ key, score }, index) => (
                <tr key={key}>
                  <th scope="row">{words.axes[key]}</th>
                  <td class="n">{other.axes[index] && <Value of={other.axes[index].score} />}</td>
                  <td class="n">
                    <Value of={score} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      <Words compared={compared} labelOf={labelOf} />
      <h3>{words.texts}</h3>
      <TextsThatDiffer runs={[other, run]} labelOf={labelOf} />
      <p>
        <button type="button" onClick={onClose}>
          {words.close}
        </button>
      </p>
    </section>
  );
}

function TextsThatDiffer({ runs, labelOf }: { runs: [Run, Run]; labelOf: LabelOf }) {
  const [one, other] = runs;
  const keys = (Object.keys(one.texts) as FieldKey[]).filter((key) => one.texts[key] !== other.texts[key]);
  if (keys.length === 0) return <p class="muted">{words.noTexts}</p>;
  return (
    <>
      {keys.map((key) => (
        <div key={key} class="pair">
          {runs.map(({ id, texts: { [key]: text } }) => (
            <div key={id}>
              <strong>
                <ApiText>{labelOf(key)}</ApiText>
              </strong>{' '}
              <small>{texts.timeline.runName(id)}</small>
              <br />
              {text ? (
                <bdi class="text">{text}</bdi>
              ) : (
                <span class="muted">{text === null ? words.liveUnknown : words.liveEmpty}</span>
              )}
            </div>
          ))}
        </div>
      ))}
    </>
  );
}
