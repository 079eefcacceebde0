import type { Frame } from '../page-data.ts';
import { describeTrouble } from './describe-trouble.ts';

/** The stores that cannot be read as usual. */
export function Troubles({ frame: { troubles, rankDays } }: { frame: Frame }) {
  return troubles.map((trouble) => (
    <p key={trouble.store} class="note warn" role="status">
      {describeTrouble(trouble, rankDays).join(' ')}
    </p>
  ));
}
