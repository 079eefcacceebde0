import * as texts from '#texts';
import { hasEarlierDay, type Unknown } from '../../figure.ts';
import { Missing } from '../../parts/missing.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { Value } from '../../parts/value.tsx';
import { Change } from '../keywords/change.tsx';
import type { AppModel } from './model.ts';

const words = texts.app.top;

/** The keywords that bring the app most, with how their ranks changed in the period of the movements. */
export function TopKeywords({
  app,
  rows,
  days,
  missing,
}: {
  app: AppModel['app'];
  rows: AppModel['top'];
  days: string;
  /** why there are none */
  missing: Unknown | null;
}) {
  if (rows === null || rows.length === 0) return <Missing reason={missing} nothing={words.none} />;
  const hasEarlier = hasEarlierDay(rows.map(({ change }) => change));
  return (
    <>
      <p class="muted">{words.hint}</p>
      <Scroll label={words.title}>
        <table class="short">
          <thead>
            <tr>
              <th scope="col">{texts.keywordList.keyword}</th>
              <th scope="col" class="n">
                {texts.keywordList.rank}
              </th>
              {hasEarlier && (
                <th scope="col" class="n">
                  {texts.change.days(days)}
                </th>
              )}
              <th scope="col" class="n">
                {texts.keywordList.traffic}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ keywordId, keyword, rank, change, status, traffic }) => (
              <tr key={keywordId}>
                <th scope="row">
                  <a href={`/dashboard/apps/${app.id}/keywords/${keywordId}`}>
                    <bdi lang={app.lang}>{keyword}</bdi>
                  </a>
                </th>
                <td class="n">
                  <Value of={rank} />
                </td>
                {hasEarlier && (
                  <td class="n">
                    <Change change={change} status={status} />
                  </td>
                )}
                <td class="n">
                  <Value of={traffic} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}
