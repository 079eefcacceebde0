import type { Figure } from '../figure.ts';
import { type Decimals, formatEstimate, formatNumber } from '../text/format.ts';
import { describeFigure } from './describe-figure.ts';

/** The only way in which a number reaches a page. `notApplicable`: what is said where there can be no number. */
export function Value({
  of,
  notApplicable,
  isEstimate = false,
  decimals,
}: {
  of: Figure;
  notApplicable?: string;
  /** it has no more digits than it deserves; the data of the page has all */
  isEstimate?: boolean;
  /** at least, as the others of its column */
  decimals?: Decimals;
}) {
  const { number, words } = describeFigure(of, (value) =>
    isEstimate ? formatEstimate(value) : formatNumber(value, decimals),
  );
  const said = of.state === 'not_applicable' ? (notApplicable ?? words) : words;
  return (
    <span class={`figure ${of.state}`}>
      {number !== null && <span class="number">{number}</span>}
      {said !== null && <small>{said}</small>}
    </span>
  );
}
