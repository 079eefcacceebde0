import * as texts from '#texts';
import { LineChart } from '../../charts/line-chart.tsx';
import { MarkList } from '../../charts/marks.tsx';
import { hasEarlierDay, numberOf } from '../../figure.ts';
import { CutName } from '../../parts/cut-name.tsx';
import { Missing } from '../../parts/missing.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { Tile } from '../../parts/tile.tsx';
import { Value } from '../../parts/value.tsx';
import { formatDay, formatNumber } from '../../text/format.ts';
import type { Mark } from '../../timeline.ts';
import { Change } from '../keywords/change.tsx';
import type { RivalsModel, Voice } from './model.ts';
import { statusOf } from './status-of.ts';
import { topOf } from './top-of.ts';

const words = texts.rivals;

/** Who gets the searches for the terms of the app: a bar for each app, and the shares by day. */
export function VoicePart({
  voice,
  missing,
  lang,
  marks,
}: {
  voice: Voice | null;
  /** why there is none */
  missing: RivalsModel['missing']['voice'];
  lang: string;
  marks: readonly Mark[];
}) {
  if (voice === null) return <Missing reason={missing} nothing={words.noVoice} />;
  return (
    <>
      <p class="muted">
        {words.voiceHint} {voice.day !== null && words.voiceOn(formatDay(voice.day))} {words.termsRead}{' '}
        <Value of={voice.termsRead} /> / <Value of={voice.terms} />
      </p>
      {voice.apps.length === 0 ? <p class="muted">{words.noVoice}</p> : <Shares voice={voice} lang={lang} />}
      {voice.days.length === 1 && <p class="muted">{texts.chart.firstDay}</p>}
      {voice.days.length > 1 && (
        <ByDay
          voice={voice}
          lang={lang}
          marks={marks}
          of="shares"
          title={words.voice}
          most={null}
          sentence={words.voiceOf}
        />
      )}
    </>
  );
}

/** How visible the app and its competitors are, day by day. */
export function RacePart({ voice, lang, marks }: ChartProps) {
  const newest = voice.lines[0]?.visibilities.at(-1);
  const [day] = voice.days;
  if (newest === undefined || day === undefined) return null;
  return (
    <>
      <h2 id="race">{words.race}</h2>
      <p class="muted">{words.raceHint}</p>
      {voice.days.length === 1 ? (
        <dl class="cards">
          {voice.lines.map(({ appId, title, visibilities: [only = newest] }) => (
            <div class="card" key={appId}>
              <dt>
                <CutName name={title ?? appId} lang={lang} />
              </dt>
              <dd>
                <Value of={only} decimals={1} /> <small>{texts.figure.staleFrom(formatDay(day))}</small>
              </dd>
            </div>
          ))}
        </dl>
      ) : (
        <ByDay
          voice={voice}
          lang={lang}
          marks={marks}
          of="visibilities"
          title={words.race}
          most={100}
          sentence={words.raceOf}
        />
      )}
    </>
  );
}

type Props = { voice: Voice; lang: string };
type ChartProps = Props & { marks: readonly Mark[] };

function Shares({ voice, lang }: Props) {
  const hasEarlier = hasEarlierDay(voice.apps.map(({ change }) => change));
  return (
    <Scroll label={words.voice}>
      <table>
        <caption class="hidden">{words.voice}</caption>
        <thead>
          <tr>
            <th scope="col">{texts.charts.app}</th>
            <th scope="col" colSpan={2}>
              {words.share}
            </th>
            {hasEarlier && (
              <th scope="col" class="n">
                {words.change}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {voice.apps.map(({ appId, title, mark, share, change }) => (
            <tr key={appId}>
              <th scope="row">
                <CutName name={title ?? appId} lang={lang}>
                  <Tile name={title} />
                </CutName>{' '}
                {mark !== null && <span class={`mark ${mark}`}>{texts.charts.marks[mark]}</span>}
              </th>
              <Share share={share} label={title ?? appId} />
              {hasEarlier && (
                <td class="n">
                  <Change change={change} status={statusOf(change)} decimals={1} />
                </td>
              )}
            </tr>
          ))}
          <tr>
            <th scope="row">{words.others}</th>
            <Share share={voice.others} label={words.others} />
            {hasEarlier && <td />}
          </tr>
        </tbody>
      </table>
    </Scroll>
  );
}

/** A full bar is all of the clicks. */
function Share({ share, label }: { share: Voice['others']; label: string }) {
  const value = numberOf(share);
  return (
    <>
      <td>{value !== null && <meter min={0} max={100} value={value} aria-label={label} />}</td>
      <td class="n">
        <Value of={share} decimals={1} />
      </td>
    </>
  );
}

/** Values of a day in the order of the apps, by day: as a picture and as a table. */
function ByDay({
  voice: { days, lines },
  lang,
  marks,
  of,
  title,
  most,
  sentence,
}: ChartProps & {
  of: 'shares' | 'visibilities';
  title: string;
  /** the end of the scale; null: what holds all values */
  most: number | null;
  sentence: (known: string, days: string) => string;
}) {
  const drawn = lines.map(({ appId, title, isOwn, [of]: figures }) => ({
    id: appId,
    name: title ?? appId,
    isOwn,
    values: figures.map(numberOf),
  }));
  const known = days.filter((_, at) => drawn.some(({ values }) => values[at] != null));
  return (
    <>
      <LineChart
        days={days}
        lines={drawn}
        most={most ?? topOf(drawn.flatMap(({ values }) => values))}
        marks={marks}
        sentence={sentence(formatNumber(known.length), formatNumber(days.length))}
      />
      <MarkList marks={marks} from={days[0] ?? ''} to={days.at(-1) ?? ''} />
      <ul class="legend">
        {lines.map(({ appId, title, isOwn }, at) => (
          <li key={appId} class={`series tone-${isOwn ? 0 : at}${isOwn ? ' own' : ''}`}>
            <CutName name={title ?? appId} lang={lang} />
          </li>
        ))}
      </ul>
      <details>
        <summary>{texts.chart.asTable}</summary>
        <Scroll label={`${texts.chart.asTable}: ${title}`}>
          <table>
            <thead>
              <tr>
                <th scope="col">{texts.chart.day}</th>
                {lines.map(({ appId, title }) => (
                  <th scope="col" class="n" key={appId}>
                    <CutName name={title ?? appId} lang={lang} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {days
                .map((day, at) => (
                  <tr key={day}>
                    <th scope="row">{formatDay(day)}</th>
                    {lines.map(({ appId, [of]: figures }) => (
                      <td class="n" key={appId}>
                        {figures[at] && <Value of={figures[at]} decimals={1} />}
                      </td>
                    ))}
                  </tr>
                ))
                .reverse()}
            </tbody>
          </table>
        </Scroll>
      </details>
    </>
  );
}
