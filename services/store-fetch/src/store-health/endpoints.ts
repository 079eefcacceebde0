import type { Store } from '@shelfwise/facts/stores/store';
import type { Dispatcher } from 'undici';

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

/** An outgoing address of this process: its own, or that of a proxy. */
export type Address = {
  /** Names the address in metrics and in the database; contains no secret. */
  label: string;
  /** Undefined: a direct call, without a proxy. */
  dispatcher: Dispatcher | undefined;
};

/** One attempt: through which address, and until when. */
export type Attempt = Pick<Address, 'dispatcher'> & { signal: AbortSignal };
