import type { Store } from '@shelfwise/facts/stores/store';
import type { Dispatcher } from 'undici';
import type { Urgency } from './urgency.ts';

/** Budgets of calls a minute; each outgoing address has its own of every kind. */
export const budgets = ['itunes', 'itunes-hints', 'itunes-pages', 'play'] as const;

export type Budget = (typeof budgets)[number];

/** What the stores are asked for, as metrics, breakers and the health page name it, and the budget that it spends. */
export const endpoints = {
  'itunes-search': { store: 'ITUNES', budget: 'itunes' },
  'itunes-lookup': { store: 'ITUNES', budget: 'itunes' },
  'itunes-hints': { store: 'ITUNES', budget: 'itunes-hints' },
  'itunes-chart': { store: 'ITUNES', budget: 'itunes-pages' },
  'itunes-page': { store: 'ITUNES', budget: 'itunes-pages' },
  'play-search': { store: 'GPLAY', budget: 'play' },
  'play-app': { store: 'GPLAY', budget: 'play' },
  'play-suggest': { store: 'GPLAY', budget: 'play' },
  'play-chart': { store: 'GPLAY', budget: 'play' },
} as const satisfies Record<string, { store: Store; budget: Budget }>;

export type Endpoint = keyof typeof endpoints;

/** One request to a store, with all its attempts. */
export type StoreRequest = {
  endpoint: Endpoint;
  urgency: Urgency;
  /** Fires when no caller waits any more. */
  signal: AbortSignal;
};

/** One attempt: through which address, and until when. */
export type Attempt = {
  /** Undefined: straight, without a proxy. */
  dispatcher: Dispatcher | undefined;
  signal: AbortSignal;
};

/**
 * Asks a store as soon as the budget of an outgoing address has a call left and the endpoint's breaker is closed, with
 * retries. `attempt` makes one call; it rejects with a StoreFailure when the store could not be read, with anything
 * else (APP_NOT_FOUND) when it could.
 * @throws STORE_FETCH_FAILED with the last StoreFailure as its cause, or what `attempt` threw
 */
export type AskStore = <Answer>(
  request: StoreRequest,
  attempt: (attempt: Attempt) => Promise<Answer>,
) => Promise<Answer>;
