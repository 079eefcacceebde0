import type { Figure } from '../figure.ts';
import type { Decimals } from '../text/format.ts';
import { describeFigure } from './describe-figure.ts';

/** The only way in which a number reaches a page. `notApplicable`: what is said where there can be no number. */
export function Value({
  of,
  notApplicable,
  decimals,
}: {
  of: Figure;
  notApplicable?: string;
  /** those of its column; the data of the page has all */
  decimals?: Decimals | undefined;
}) {
  const { number, words } = describeFigure(of, decimals);
  const said = of.state === 'not_applicable' ? (notApplicable ?? words) : words;
  return (
    <span class={`figure ${of.state}`}>
      {number !== null && <span class="number">{number}</span>}
      {said !== null && <small>{said}</small>}
    </span>
  );
}
