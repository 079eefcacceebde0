import { z } from 'zod';
import { StoreFailure } from '../store-failure.ts';
import { maxBarredItems } from './barred-items.ts';
import { type BreakerState, closedState, maxOpenMs } from './breaker-state.ts';
import { failureFactsSchema, toFailureFacts } from './failure-facts.ts';

/** Written into the name of the shared record: copies with another format keep breakers of their own. */
export const breakerStateFormat = 2;

const timeSchema = z.number().int().min(0);
const countSchema = z.number().int().min(0).max(1_000_000_000);
const keySchema = z.string().max(16);
/** The id of a copy is a UUID (36 characters); a space and the number of the call follow. */
const maxIdLength = 60;
const stateSchema = z
  .strictObject({
    streak: z.strictObject({
      ofStore: countSchema,
      ofItems: countSchema,
      refusals: countSchema,
      last: failureFactsSchema.nullable(),
      differentQuestions: countSchema,
      failedItems: z.array(keySchema).max(100),
    }),
    barred: z.array(z.tuple([keySchema, timeSchema])).max(maxBarredItems),
    openMs: timeSchema.max(maxOpenMs),
    openUntilMs: timeSchema,
    probe: z
      .strictObject({ id: z.string().max(maxIdLength), isEarly: z.boolean(), untilMs: timeSchema })
      .nullable(),
    isInDoubt: z.boolean(),
    failedAtMs: timeSchema,
    succeededAtMs: timeSchema,
  })
  .refine(({ openMs, streak }) => openMs === 0 || streak.last !== null);

export function encodeBreakerState(state: BreakerState): string {
  const { last } = state.streak;
  const encoded: z.input<typeof stateSchema> = {
    ...state,
    streak: {
      ...state.streak,
      failedItems: [...state.streak.failedItems],
      last: last && toFailureFacts(last),
    },
    barred: [...state.barred],
  };
  return JSON.stringify(encoded);
}

/** Null when the text is not a state in this format. */
export function decodeBreakerState(text: string): BreakerState | null {
  const parsed = stateSchema.safeParse(parseJson(text));
  if (!parsed.success) return null;
  const { last } = parsed.data.streak;
  return {
    ...closedState,
    ...parsed.data,
    streak: { ...parsed.data.streak, last: last && new StoreFailure(last.kind, last.message, last) },
    barred: new Map(parsed.data.barred),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
