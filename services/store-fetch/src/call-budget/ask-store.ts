import type { Store } from '@shelfwise/facts/store';
import type { Dispatcher } from 'undici';
import type { Urgency } from './urgency.ts';

/** The allowances of calls a minute that each outgoing address has. */
export const budgets = ['itunes', 'itunes-hints', 'itunes-pages', 'play'] as const;

export type Budget = (typeof budgets)[number];

/** What is asked of the stores, as metrics, breakers and the health page name it, and the budget that it spends. */
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

/** One try at a store: through which address, and until when. */
export type Attempt = {
  /** Undefined: straight, without a proxy. */
  dispatcher: Dispatcher | undefined;
  signal: AbortSignal;
};

/**
 * Asks a store politely: when the budget of an outgoing address has a call left and the endpoint is not resting, with
 * retries. `attempt` makes one call; it rejects with a StoreFailure when the store could not be read, with anything
 * else (APP_NOT_FOUND) when it could. `signal` fires when nobody waits any more.
 * @throws STORE_FETCH_FAILED with the last StoreFailure as its cause, or what `attempt` threw
 */
export type AskStore = <Answer>(
  question: { endpoint: Endpoint; urgency: Urgency; signal: AbortSignal },
  attempt: (attempt: Attempt) => Promise<Answer>,
) => Promise<Answer>;
