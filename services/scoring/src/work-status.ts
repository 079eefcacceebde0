import { describeTrouble } from '@shelfwise/runtime/lanes/describe-trouble';
import type { Lane } from '@shelfwise/runtime/lanes/lane';
import { answered } from '@shelfwise/runtime/mongo';
import { PartState, type StatusCheck } from '@shelfwise/runtime/status';

/** How many are due at a moment, counted up to a limit. */
export type Waiting = {
  countTerms(at: Date, limit: number): Promise<number>;
  countListings(at: Date, limit: number): Promise<number>;
};

/** Counting goes through an index entry by entry: some 20 ms for so many. */
const countedAtMost = 100_000;

/** What waits to be measured and audited. Degraded while a lane rests; a backlog alone is work, not trouble. */
export function workStatus(deps: {
  lanes: readonly Pick<Lane, 'name' | 'trouble'>[];
  waiting: Waiting;
  now: () => Date;
}): StatusCheck {
  const { lanes, waiting, now } = deps;
  return async () => {
    const at = now();
    const [terms, listings] = await answered(
      Promise.all([waiting.countTerms(at, countedAtMost), waiting.countListings(at, countedAtMost)]),
    );
    const troubles = lanes.flatMap(describeTrouble);
    const counts = `${format(terms)} keywords wait to be measured, ${format(listings)} listings to be audited`;
    return {
      name: 'scoring run',
      state: troubles.length > 0 ? PartState.DEGRADED : PartState.OK,
      detail: [counts, ...troubles].join('; '),
      is_embedded: false,
    };
  };
}

function format(count: number): string {
  const text = count.toLocaleString('en-US');
  return count < countedAtMost ? text : `${text} or more`;
}
