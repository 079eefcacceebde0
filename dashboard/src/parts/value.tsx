import type { Figure } from '../figure.ts';
import { describeFigure } from './describe-figure.ts';

/** The only way in which a number reaches a page. */
export function Value({ of }: { of: Figure }) {
  const { number, words } = describeFigure(of);
  return (
    <span class={`figure ${of.state}`}>
      {number !== null && <span class="number">{number}</span>}
      {words !== null && <small>{words}</small>}
    </span>
  );
}
