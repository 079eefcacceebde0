import type { Store } from '@shelfwise/facts/stores/store';
import type { Dispatcher } from 'undici';
import type { Question } from './question.ts';
import type { Urgency } from './urgency.ts';

/** Budgets of calls per minute. Each outgoing address has its own of every kind. */
export const budgets = ['itunes', 'itunes-hints', 'itunes-pages', 'play'] as const;

export type Budget = (typeof budgets)[number];

/**
 * What a store can be called for, by the name in metrics, breakers and the health page, and the budget that a call
 * spends. `about`: what the items of its questions are. Terms are what users search for.
 */
export const endpoints = {
  'itunes-search': { store: 'ITUNES', budget: 'itunes', about: 'term' },
  'itunes-lookup': { store: 'ITUNES', budget: 'itunes', about: 'apps' },
  'itunes-hints': { store: 'ITUNES', budget: 'itunes-hints', about: 'term' },
  'itunes-chart': { store: 'ITUNES', budget: 'itunes-pages', about: 'chart' },
  'itunes-page': { store: 'ITUNES', budget: 'itunes-pages', about: 'apps' },
  'play-search': { store: 'GPLAY', budget: 'play', about: 'term' },
  'play-app': { store: 'GPLAY', budget: 'play', about: 'apps' },
  'play-suggest': { store: 'GPLAY', budget: 'play', about: 'term' },
  'play-chart': { store: 'GPLAY', budget: 'play', about: 'chart' },
} as const satisfies Record<string, { store: Store; budget: Budget; about: 'term' | 'apps' | 'chart' }>;

export type Endpoint = keyof typeof endpoints;

/** One request to a store, with all its attempts. */
export type StoreRequest = {
  endpoint: Endpoint;
  question: Question;
  urgency: Urgency;
  /** Fires when the last caller has given up. */
  signal: AbortSignal;
  /** Of the request that started the read; for the log. */
  requestId?: string | undefined;
};

/** One attempt: through which address, and until when. */
export type Attempt = {
  /** Undefined: a direct call, without a proxy. */
  dispatcher: Dispatcher | undefined;
  signal: AbortSignal;
};

/**
 * Calls a store as soon as an outgoing address has budget left and the endpoint's breaker is closed there, with
 * retries. A question that the store lastingly fails to answer is not asked again for five minutes.
 * `attempt` makes one call. It rejects with a StoreFailure when the store could not be read, and with any other error
 * (APP_NOT_FOUND) when it could.
 * @throws STORE_FETCH_FAILED with the last StoreFailure as its cause, or what `attempt` threw
 */
export type CallWithBudget = <Answer>(
  request: StoreRequest,
  attempt: (attempt: Attempt) => Promise<Answer>,
) => Promise<Answer>;
