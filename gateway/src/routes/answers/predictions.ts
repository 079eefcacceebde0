import type { ListingChange } from '@shelfwise/proto/tracking/v1/tracking';
import type { CallOptions } from '@shelfwise/runtime/grpc/grpc-types';
import type { Clients } from '../../clients.ts';

/** The simulation that predicted a change, by the id of the change; `delta`: of the overall score, null: not known. */
export type Predictions = ReadonlyMap<string, { id: number; delta: number | null }>;

/**
 * The saved runs whose texts became those of the listing, run against the listing before, not later than on the day of the change. One
 * call at most.
 */
export async function findPredictions(
  deps: { scoring: Pick<Clients['scoring'], 'findSimulations'> },
  app: { account_id: string; app_id: number },
  changes: readonly ListingChange[],
  call: CallOptions,
): Promise<Predictions> {
  const rewritten = changes.flatMap(({ id, date, texts, texts_before: before }) =>
    texts && before ? [{ id, date, texts, before }] : [],
  );
  if (rewritten.length === 0) return new Map();
  const request = {
    ...app,
    texts: rewritten.map(({ texts, before, date }) => ({ ...texts, before, until: date })),
  };
  const { found } = await deps.scoring.findSimulations(request, call);
  return new Map(
    rewritten.flatMap(({ id }, index) => {
      const run = found[index];
      if (run?.id == null) return [];
      return [[id, { id: run.id, delta: run.delta_global ?? null }] as const];
    }),
  );
}
