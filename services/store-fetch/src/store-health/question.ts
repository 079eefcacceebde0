import { createHash } from 'node:crypto';
import { z } from 'zod';

/** What a request asks a store, whatever the address, the attempt and the caller. */
export type Question = {
  /** Equal questions to one endpoint have equal keys. */
  key: string;
  /**
   * What the question is about, in every storefront: a term, a chart, the ids of apps. A store may fail for an item in
   * all storefronts, so questions with a common item count as one failure.
   */
  items: readonly string[];
  /** The country of the storefront, for the log. */
  country?: string;
  /** The store has answered it before. */
  isAnswered?: boolean;
  /** For whom it is asked: accounts, the daily run, other work. Unknown in tests of breakers. */
  callers?: readonly string[];
};

/** A short name for an item of a question, which may be a long search term. */
export function itemKey(item: string): string {
  return createHash('sha256').update(item).digest('base64url').slice(0, 16);
}

export const itemKeySchema = z.string().max(16);
