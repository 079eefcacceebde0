import type { CallWithBudget } from '../../budget/call-with-budget.ts';
import { callStore, type StoreAnswer, type StoreCall } from '../../http/call-store.ts';
import { withinStack } from '../../http/parse-body.ts';
import type { Reading, ReadOptions } from '../../source.ts';
import type { Endpoint } from '../../store-health/endpoints.ts';

/** An address of the store, and how to read it. */
export type PageRequest = {
  endpoint: Endpoint;
  /** of the storefront */
  country: string;
  url: URL;
  /** What is asked about: a term, a chart, the ids of apps (`Question`). */
  items: readonly string[];
  headers?: Record<string, string>;
  /** The app's web page, which may be missing or redirect. */
  isWebPage?: boolean;
} & Pick<StoreCall, 'maxKiB'>;

export type ReadStore = <Answer>(
  request: PageRequest,
  options: ReadOptions,
  parse: (answer: StoreAnswer) => Answer,
) => Promise<Reading & { answer: Answer }>;

/**
 * Reads one address of the App Store, within the budgets. When `parse` throws a StoreFailure, the attempt has failed.
 */
export function createReadStore(deps: {
  callWithBudget: CallWithBudget;
  timeoutMs: number;
  now: () => Date;
}): ReadStore {
  const { callWithBudget, timeoutMs, now } = deps;
  return (request, { signal, urgency, requestId }, parse) => {
    const { endpoint, country, url, items, headers = {}, isWebPage = false, maxKiB } = request;
    const question = { key: [url.href, ...Object.values(headers)].join(' '), items, country };
    return callWithBudget({ endpoint, question, urgency, signal, requestId }, async (attempt) => {
      // Before the call: a page that is under way at midnight must not get a later day than its own.
      const readAt = now();
      const answer = await callStore({
        url,
        timeoutMs,
        ...attempt,
        headers,
        maxKiB,
        expects: isWebPage ? 'html' : 'data',
        mayBeMissing: isWebPage,
        mayBeMoved: isWebPage,
      });
      return { readAt, source: 'app-store', answer: withinStack(() => parse(answer)) };
    });
  };
}
