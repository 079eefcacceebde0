import * as texts from '#texts';
import type { Figure } from '../../figure.ts';
import { describeFigure } from '../../parts/describe-figure.ts';
import { Value } from '../../parts/value.tsx';
import type { Decimals } from '../../text/format.ts';
import type { KeywordRow } from './model.ts';

/** A movement in places: an arrow for the eye, and words. */
export function Change({
  change,
  status,
  decimals,
}: {
  change: Figure;
  status: KeywordRow['status'];
  decimals?: Decimals;
}) {
  const { number } = describeFigure(change, decimals);
  if (status === 'entered' || status === 'left')
    return (
      <span class={`figure ${change.state} ${status === 'entered' ? 'up' : 'down'}`}>
        <span aria-hidden="true">{status === 'entered' ? '▲ ' : '▼ '}</span>
        {texts.change[status]}
      </span>
    );
  if (status === 'same') return <small>{texts.change.same}</small>;
  if (number === null) return <Value of={change} />;
  const places = number.replace(/^[-−]/, '');
  if (status === 'up' || status === 'down')
    return (
      <span class={status}>
        <span aria-hidden="true">{status === 'up' ? `▲ ${places}` : `▼ ${places}`}</span>
        <span class="hidden">{texts.change[status](places)}</span>
      </span>
    );
  return <small>{texts.change.same}</small>;
}
