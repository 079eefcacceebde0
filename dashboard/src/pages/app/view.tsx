import { useCallback, useState } from 'preact/hooks';
import * as texts from '#texts';
import { callPage } from '../../parts/api.ts';
import { ApiText } from '../../parts/api-text.tsx';
import { Arrivals } from '../../parts/arrivals.tsx';
import { Progress } from '../../parts/audit-progress.tsx';
import { useKeys } from '../../parts/keys.ts';
import { Missing } from '../../parts/missing.tsx';
import { nameOfChange } from '../../parts/name-of-change.ts';
import { Storefront } from '../../parts/shell.tsx';
import { Timeline } from '../../parts/timeline.tsx';
import { useLooks } from '../../parts/use-looks.ts';
import { Value } from '../../parts/value.tsx';
import { formatDay, formatNumber, formatTime } from '../../text/format.ts';
import { marksOf } from '../../timeline.ts';
import { Change } from '../keywords/change.tsx';
import { Fix } from '../listing/flags.tsx';
import { Distribution } from './distribution.tsx';
import type { AppModel } from './model.ts';
import { ShareLinks } from './share-links.tsx';
import { TopKeywords } from './top-keywords.tsx';
import { Visibility } from './visibility.tsx';

const words = texts.app;

/** The periods of movements, and the keys for them. */
const periods = ['1', '7', '30'] as const;

export function App({ model: first, today }: { model: AppModel; today: string }) {
  const [model, setModel] = useState(first);
  const { app, health, movers } = model;
  // A look that fails changes nothing: another one follows.
  const reload = useCallback(
    () =>
      callPage<{ model: AppModel }>(`/dashboard/apps/${app.id}${location.search}`).then(
        (answer) => setModel(answer.model),
        () => {},
      ),
    [app.id],
  );
  useLooks(model.awaited !== null, reload);
  const [notes, setNotes] = useState(model.timeline.notes);
  useKeys(
    Object.fromEntries(
      periods.map((days) => [days.slice(0, 1), () => location.assign(`?days=${days}#movers`)]),
    ),
  );
  const { withoutField } = health;
  const axes = [
    [withoutField === null ? words.global : words.withField, health.global],
    [words.withoutField, withoutField],
    [words.coverage, health.coverage],
    [words.targeting, health.targeting],
    [words.appeal, health.appeal],
  ] as const;
  return (
    <>
      <p>
        <Storefront app={app} />
      </p>
      <h2>{words.health}</h2>
      <p class="muted">{words.healthHint}</p>
      <dl class="cards">
        {axes.map(
          ([label, figure]) =>
            figure !== null && (
              <div class="card" key={label}>
                <dt>{label}</dt>
                <dd>
                  <Value of={figure} />
                </dd>
              </div>
            ),
        )}
      </dl>
      <p class="muted">
        {health.computedAt !== null
          ? texts.audit.audited(formatTime(health.computedAt))
          : model.missing.audit === null && words.noAudit}{' '}
        {withoutField !== null && words.fieldHint}
      </p>
      {model.awaited !== null && <Progress of={model.awaited} hasEarlier={model.flags !== null} />}
      <Arrivals pending={model.awaited === null ? 0 : 1} words={() => texts.audit.arrived} />
      <h2>{words.visibility}</h2>
      {model.visibility.length === 0 ? (
        <Missing reason={model.missing.visibility} nothing={words.noVisibility} />
      ) : (
        <Visibility days={model.visibility} marks={marksOf({ ...model.timeline, notes }, nameOfChange)} />
      )}
      <h2>{words.distribution}</h2>
      <Distribution distribution={model.distribution} missing={model.missing.distribution} />
      <h2>{words.top.title}</h2>
      <TopKeywords app={app} rows={model.top} days={movers.days} missing={movers.missing} />
      <h2 id="movers">{words.movers}</h2>
      <nav class="chips" aria-label={words.period}>
        {periods.map((days) => (
          <a
            key={days}
            href={`?days=${days}#movers`}
            aria-current={days === movers.days ? 'true' : undefined}
          >
            {texts.change.days(days)}
          </a>
        ))}
      </nav>
      {movers.rows.length === 0 ? (
        <Missing reason={movers.missing} nothing={words.noMovers(texts.change.days(movers.days))} />
      ) : (
        <p class="muted">
          {words.moversShown(formatNumber(movers.rows.length))} <Value of={movers.total} />
        </p>
      )}
      <ul class="list">
        {movers.rows.map((row) => (
          <li key={row.keywordId}>
            <a href={`/dashboard/apps/${app.id}/keywords/${row.keywordId}`}>
              <bdi lang={app.lang}>{row.keyword}</bdi>
            </a>{' '}
            <Change change={row.change} status={row.status} />{' '}
            <span class="muted">
              <Value of={row.before} /> {texts.becomes} <Value of={row.now} />
              {`, ${formatDay(row.fromDay)} – ${formatDay(row.toDay)}`}
            </span>
          </li>
        ))}
      </ul>
      {movers.rows.length > 0 && (
        <p class="muted">
          {words.unread} <Value of={movers.unread} />
        </p>
      )}
      <h2 id="timeline">{texts.timeline.title}</h2>
      <Timeline
        appId={app.id}
        lang={app.lang}
        today={today}
        timeline={{ ...model.timeline, notes }}
        onNotes={setNotes}
      />
      <h2>{words.flags}</h2>
      {model.flags === null && <Missing reason={model.missing.audit} nothing={words.noAudit} />}
      {model.flags?.length === 0 && <p class="muted">{words.noFlags}</p>}
      <ul class="list">
        {model.flags?.map(({ code, severity, title, fix }) => (
          <li key={code}>
            <span class={`severity ${severity}`}>{texts.audit.severity[severity]}</span>{' '}
            <strong>
              <ApiText>{title}</ApiText>
            </strong>
            <br />
            <Fix of={{ code, fix }} />
          </li>
        ))}
      </ul>
      <p>
        <a href={`/dashboard/apps/${app.id}/listing`}>{words.toListing}</a>
      </p>
      <ShareLinks appId={app.id} />
    </>
  );
}
