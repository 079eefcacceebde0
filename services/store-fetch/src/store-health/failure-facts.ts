import { z } from 'zod';
import { StoreFailure, storeFailureKinds } from './store-failure.ts';

/** Longer than any message that is shared; what quotes a store is cut. */
const maxTextLength = 1000;

/** What the copies of the service share of a StoreFailure: all but its cause, which may hold the whole answer. */
export const failureFactsSchema = z.strictObject({
  kind: z.enum(storeFailureKinds),
  message: z.string().max(maxTextLength),
  userMessage: z.string().max(maxTextLength),
  isPermanent: z.boolean(),
});

export type FailureFacts = z.output<typeof failureFactsSchema>;

export function toFailureFacts({ kind, message, userMessage, isPermanent }: StoreFailure): FailureFacts {
  const cut = (text: string) => text.slice(0, maxTextLength);
  return { kind, message: cut(message), userMessage: cut(userMessage), isPermanent };
}

export function fromFailureFacts({ kind, message, ...rest }: FailureFacts): StoreFailure {
  return new StoreFailure(kind, message, rest);
}
