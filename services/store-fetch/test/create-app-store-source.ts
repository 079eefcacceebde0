import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { AppError } from '@shelfwise/runtime/errors';
import { type Dispatcher, MockAgent } from 'undici';
import type { CallWithBudget } from '../src/budget/call-with-budget.ts';
import { type Urgency, urgent } from '../src/budget/urgency.ts';
import type { ReadOptions } from '../src/source.ts';
import { type AppStoreSourceDeps, createAppStoreSource } from '../src/sources/app-store/app-store-source.ts';
import type { Endpoint } from '../src/store-health/endpoints.ts';
import { StoreFailure, storeFetchFailed } from '../src/store-health/store-failure.ts';

export const us: Storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' };
export const jp: Storefront = { store: 'ITUNES', country: 'JP', lang: 'ja-JP' };

export const now = () => new Date('2026-03-01T12:00:00Z');
/** A way out: a test that is about a limit sets its own. */
const timeoutMs = 60_000;
const waitLimits = { subtitleMs: 60_000, subtitlesMs: 60_000, scoresMs: 60_000 };

/** An attempt to call the store, and its outcome. */
export type RecordedCall = {
  endpoint: Endpoint;
  urgency: Urgency;
  outcome: 'pending' | 'ok' | StoreFailure['kind'];
};

/**
 * An App Store source at `url` that makes each call immediately and only once, and a record of its calls. Failures
 * become the same errors as in production.
 */
export function createSource(
  url: string,
  deps: Partial<AppStoreSourceDeps> & { dispatcher?: Dispatcher | undefined } = {},
) {
  const requested: RecordedCall[] = [];
  const callWithBudget: CallWithBudget = async ({ endpoint, urgency, signal }, attempt) => {
    const recorded: RecordedCall = { endpoint, urgency, outcome: 'pending' };
    requested.push(recorded);
    try {
      const answer = await attempt({ dispatcher: deps.dispatcher, signal });
      recorded.outcome = 'ok';
      return answer;
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
      recorded.outcome = error.kind;
      throw storeFetchFailed('ITUNES', error);
    }
  };
  const urls = { itunes: url, hints: url, apps: url };
  const limits = { timeoutMs, waitLimits };
  return { source: createAppStoreSource({ callWithBudget, urls, now, ...limits, ...deps }), requested };
}

/** A source whose store answers every call with one page, without a network. */
export function sourceOfPage(page: unknown, deps: Partial<AppStoreSourceDeps> = {}) {
  const url = 'http://store.example';
  const agent = new MockAgent();
  agent.disableNetConnect();
  const text = typeof page === 'string' ? page : JSON.stringify(page);
  agent
    .get(url)
    .intercept({ path: () => true })
    .reply(200, text)
    .persist();
  return createSource(url, { ...deps, dispatcher: agent });
}

/** The read options of an urgent caller that waits without a limit, or until `signal`. */
export function waiting(signal: AbortSignal = new AbortController().signal): ReadOptions {
  return { signal, urgency: urgent };
}

export async function failureOf(reading: Promise<unknown>): Promise<AppError> {
  const outcome = await reading.catch((error: unknown) => error);
  if (outcome instanceof AppError) return outcome;
  throw new Error(`expected an AppError, got ${JSON.stringify(outcome)}`);
}

/** An answer of search or look-up with these rows. */
export function toPage(results: unknown[]) {
  return { resultCount: results.length, results };
}
