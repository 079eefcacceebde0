import type { CallWithBudget } from '../budget/call-with-budget.ts';
import { urgent } from '../budget/urgency.ts';
import type { LiveStores } from '../source.ts';
import type { AnsweredQuestion } from '../store-health/answered-questions.ts';
import type { Endpoint } from '../store-health/endpoints.ts';
import { StoreFailure } from '../store-health/store-failure.ts';

const us = { country: 'US', lang: 'en-US' } as const;
const itunes = { store: 'ITUNES', ...us } as const;
const play = { store: 'GPLAY', ...us } as const;
/** An app that has been in its store for years. That the store has no such app is an answer, too. */
const appIds = { itunes: '281796108', play: 'com.google.android.apps.translate' } as const;

/**
 * One question per endpoint that its store can answer, for any caller: what probes a breaker when the endpoint has
 * answered nothing since the start. No store is called: the sources only say what they would call.
 */
export function listKnownQuestions(
  createStores: (callWithBudget: CallWithBudget) => LiveStores,
): ReadonlyMap<Endpoint, AnsweredQuestion> {
  const known = new Map<Endpoint, AnsweredQuestion>();
  const stores = createStores(async ({ endpoint, question }, attempt) => {
    known.set(endpoint, { question: { ...question, isAnswered: true }, attempt });
    throw new StoreFailure('abandoned', 'is not called');
  });
  const options = { signal: new AbortController().signal, urgency: urgent };
  const topFree = { category: 'OVERALL', collection: 'free', limit: 1 } as const;
  void Promise.allSettled([
    stores.ITUNES.search(itunes, 'games', { ...options, limit: 1 }),
    stores.ITUNES.getListing(itunes, appIds.itunes, { ...options, withSubtitle: true }),
    stores.ITUNES.suggest(itunes, 'a', options),
    stores.ITUNES.chart(itunes, topFree, options),
    stores.GPLAY.search(play, 'games', { ...options, limit: 1 }),
    stores.GPLAY.getListing(play, appIds.play, { ...options, withSubtitle: true }),
    stores.GPLAY.suggest(play, 'a', options),
    stores.GPLAY.chart(play, topFree, options),
  ]);
  return known;
}
