import * as texts from '#texts';
import { Bar } from '../../charts/bar.tsx';
import type { BarKind } from '../../charts/bar-width.ts';
import { numberOf, type Unknown } from '../../figure.ts';
import { Missing } from '../../parts/missing.tsx';
import { Value } from '../../parts/value.tsx';
import { formatDay } from '../../text/format.ts';
import type { AppModel } from './model.ts';

const words = texts.app;

const kinds: Readonly<Record<string, BarKind>> = { not_ranked: 'not-ranked', unread: 'unread' };

/** How many keywords rank where, as bars. */
export function Distribution({
  distribution,
  missing,
}: {
  distribution: AppModel['distribution'];
  /** why there is none */
  missing: Unknown | null;
}) {
  if (distribution === null) return <Missing reason={missing} nothing={words.noDistribution} />;
  const counts = distribution.parts.map(({ count }) => numberOf(count) ?? 0);
  const most = Math.max(...counts);
  return (
    <>
      <p class="muted">{words.distributionOn(formatDay(distribution.day))}</p>
      <table class="short">
        <tbody>
          {distribution.parts.map(({ label, count }) => (
            <tr key={label}>
              <th scope="row">{words.ranks(label)}</th>
              <td>
                <Bar value={numberOf(count) ?? 0} most={most} kind={kinds[label] ?? 'ranked'} />
              </td>
              <td class="n">
                <Value of={count} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
