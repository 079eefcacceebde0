import { useState } from 'preact/hooks';
import * as texts from '#texts';
import type { Frame } from '../../page-data.ts';
import { callApi } from '../../parts/api.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { CutName } from '../../parts/cut-name.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { say } from '../../parts/toasts.tsx';
import { Value } from '../../parts/value.tsx';
import { formatDay } from '../../text/format.ts';
import { Channels } from './channels.tsx';
import { Digests } from './digests.tsx';
import type { AlertRow, AlertsModel, ChannelRow, RuleRow } from './model.ts';
import { canBeMadeAgain, toRuleBody } from './rule-body.ts';
import { RuleChannels } from './rule-channels.tsx';

const words = texts.alerts;

export function Alerts({ model, frame }: { model: AlertsModel; frame: Frame }) {
  const { alerts, rules, newer, older } = model;
  return (
    <>
      {alerts === null && <p class="note error">{words.unknown}</p>}
      {alerts?.length === 0 && <p>{words.none}</p>}
      {alerts !== null && alerts.length > 0 && <Feed rows={alerts} />}
      <p class="row">
        {newer !== null && <a href={newer}>{words.newer}</a>}
        {older !== null && <a href={older}>{words.older}</a>}
      </p>
      <h2>{words.rules}</h2>
      <p class="muted">{words.hint}</p>
      {rules === null ? (
        <p class="note error">{words.rulesUnknown}</p>
      ) : (
        <Rules rows={rules} channels={model.channels ?? []} />
      )}
      <NewRule kinds={model.kinds} apps={frame.apps} />
      <Channels rows={model.channels} types={model.channelTypes} timings={model.channelTimings} />
      <Digests rows={model.digests} channels={model.channels ?? []} />
    </>
  );
}

function Feed({ rows }: { rows: readonly AlertRow[] }) {
  return (
    <Scroll label={words.caption}>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.what}</th>
            <th scope="col">{words.app}</th>
            <th scope="col">{words.keyword}</th>
            <th scope="col" class="n">
              {words.before}
            </th>
            <th scope="col" class="n">
              {words.after}
            </th>
            <th scope="col">{words.day}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">
                <What row={row} />
              </th>
              <td>
                {row.app && <AppName of={row.app} />}
                {row.store !== null && texts.store[row.store]}
              </td>
              <td>
                {row.keyword && row.app && (
                  <a href={`/dashboard/apps/${row.app.id}/keywords/${row.keyword.id}`}>
                    <bdi dir="auto">{row.keyword.text}</bdi>
                  </a>
                )}
              </td>
              <td class="n">
                <Value of={row.before} />
              </td>
              <td class="n">
                <Value of={row.after} />
              </td>
              <td>
                {formatDay(row.day)}
                {row.dayBefore !== null && (
                  <small class="muted"> {words.comparedWith(formatDay(row.dayBefore))}</small>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function What({ row }: { row: AlertRow }) {
  const { kind, other, channel, chart, fields, isReadOnce } = row;
  const name = channel ?? chart ?? (other && (other.title ?? other.storeId));
  return (
    <>
      {words.kinds[kind] ?? kind}
      {name !== null && (
        <>
          {' · '}
          <CutName name={name} />
        </>
      )}
      {fields.length > 0 && ` · ${fields.map((field) => words.fields[field] ?? field).join(', ')}`}
      {isReadOnce && <small class="muted"> {words.readOnce}</small>}
    </>
  );
}

function AppName({ of: { id, title, storeId } }: { of: NonNullable<AlertRow['app']> }) {
  return (
    <a href={`/dashboard/apps/${id}`}>
      <CutName name={title ?? storeId} />
    </a>
  );
}

function Rules({ rows: first, channels }: { rows: readonly RuleRow[]; channels: readonly ChannelRow[] }) {
  const [rows, setRows] = useState(first);
  const [error, setError] = useState<unknown>(null);
  const setRow = (id: string, changed: Partial<RuleRow>) =>
    setRows((now) => now.map((row) => (row.id === id ? { ...row, ...changed } : row)));
  const change = (id: string, isEnabled: boolean) =>
    callApi(`/alerts/rules/${id}`, { method: 'PATCH', body: { is_enabled: isEnabled } }).then(() => {
      setError(null);
      setRow(id, { isEnabled });
    }, setError);
  const makeAgain = (row: RuleRow, at: number) =>
    callApi<{ data: { id: number } }>('/alerts/rules', { method: 'POST', body: toRuleBody(row) }).then(
      ({ data }) => {
        setError(null);
        setRows((now) => now.toSpliced(at, 0, { ...row, id: String(data.id) }));
      },
      setError,
    );
  const remove = (row: RuleRow, at: number) =>
    callApi(`/alerts/rules/${row.id}`, { method: 'DELETE' }).then(() => {
      setError(null);
      setRows((now) => now.filter(({ id }) => id !== row.id));
      say(words.removed(nameOf(row)), canBeMadeAgain(row) ? () => void makeAgain(row, at) : null);
    }, setError);
  return (
    <>
      <ErrorNote error={error} />
      <Scroll label={words.rules} asCards>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.rule}</th>
              <th scope="col">{words.app}</th>
              <th scope="col" class="n">
                {words.threshold}
              </th>
              <th scope="col">{words.keywords}</th>
              <th scope="col">{words.sentTo}</th>
              <th scope="col">{words.actions}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <tr key={row.id}>
                <th scope="row">
                  <label>
                    <input
                      type="checkbox"
                      checked={row.isEnabled}
                      onChange={(event) => change(row.id, event.currentTarget.checked)}
                    />{' '}
                    {nameOf(row)}
                  </label>
                </th>
                <td>{row.app === null ? words.allApps : <AppName of={row.app} />}</td>
                <td class="n">
                  <Value of={row.threshold} />
                </td>
                <td>
                  {row.which !== null && words.which[row.which]}{' '}
                  {(row.which === null || row.which === 'some') && <Value of={row.keywords} />}
                </td>
                <td>
                  <RuleChannels
                    ruleId={row.id}
                    chosen={row.channels}
                    channels={channels}
                    onChosen={(ids) => setRow(row.id, { channels: ids })}
                  />
                </td>
                <td>
                  <RemoveRule row={row} onRemove={() => void remove(row, at)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}

/** Asks first only where the rule cannot be made again exactly. */
function RemoveRule({ row, onRemove }: { row: RuleRow; onRemove: () => void }) {
  const name = words.removeOf(nameOf(row));
  if (!canBeMadeAgain(row))
    return <ConfirmButton label={words.remove} name={name} lost={words.lost} onConfirm={onRemove} />;
  return (
    <button type="button" aria-label={name} onClick={onRemove}>
      {words.remove}
    </button>
  );
}

function nameOf({ kind }: RuleRow): string {
  return words.kinds[kind] ?? kind;
}

function NewRule({ kinds, apps }: { kinds: AlertsModel['kinds']; apps: Frame['apps'] }) {
  const [kind, setKind] = useState(kinds[0]?.kind ?? '');
  const [error, setError] = useState<unknown>(null);
  const chosen = kinds.find((one) => one.kind === kind);
  const range = chosen?.threshold ?? null;
  const create = (form: HTMLFormElement) => {
    const fields = new FormData(form);
    const app = fields.get('app') ?? '';
    const threshold = fields.get('threshold');
    const body = {
      kind,
      app_id: app === '' ? null : Number(app),
      threshold: threshold === null ? null : Number(threshold),
      // Left out for a kind that is about none.
      keywords: fields.get('keywords') ?? undefined,
    };
    callApi('/alerts/rules', { method: 'POST', body }).then(() => location.reload(), setError);
  };
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        create(event.currentTarget as HTMLFormElement);
      }}
    >
      <div>
        <label for="kind">{words.newRule}</label>
        <select id="kind" value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
          {kinds.map((one) => (
            <option key={one.kind} value={one.kind}>
              {words.kinds[one.kind] ?? one.kind}
            </option>
          ))}
        </select>
      </div>
      {!chosen?.isAboutAll && (
        <div>
          <label for="app">{words.app}</label>
          <select id="app" name="app">
            <option value="">{words.allApps}</option>
            {apps.map(({ id, title, storeId, lang }) => (
              <option key={id} value={id} lang={lang}>
                {title ?? storeId}
              </option>
            ))}
          </select>
        </div>
      )}
      {chosen?.hasKeywords && (
        <div>
          <label for="keywords">{words.keywords}</label>
          <select id="keywords" name="keywords">
            <option value="all">{words.which.all}</option>
            <option value="favorites">{words.which.favorites}</option>
          </select>
        </div>
      )}
      {range !== null && (
        <div class="short">
          <label for="threshold">{words.threshold}</label>
          <input
            id="threshold"
            name="threshold"
            key={kind}
            type="number"
            required
            min={range.min}
            max={range.max}
            step={range.step}
            defaultValue={range.usual}
          />
        </div>
      )}
      <button type="submit">{words.add}</button>
      <ErrorNote error={error} />
    </form>
  );
}
