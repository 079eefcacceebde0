import type { FoundApp } from '@shelfwise/proto/store/v1/store';
import { AppError } from '@shelfwise/runtime/errors';
import type { CallOptions } from '@shelfwise/runtime/grpc-types';
import type { SuggestingStore } from '../src/analysis/ask-around.ts';

type Rpc = keyof SuggestingStore;

export type FakeStoreFetch = ReturnType<typeof createFakeStoreFetch>;

/**
 * What a store shows around a topic, as a test writes it: titles of the result page, and the terms that it suggests,
 * which are shared out among the prefixes that are asked, so that any number of them can be found.
 */
export function createFakeStoreFetch(now: () => Date) {
  const failures = new Map<Rpc, AppError>();
  const calls: { rpc: Rpc; text: string; call: CallOptions }[] = [];
  const shown = {
    terms: [] as string[],
    titles: [] as string[],
    isBelieved: true,
    source: 'sample',
    /** so many at each prefix at most */
    perPrefix: 100,
  };
  /** Resolves before each answer; a test may make it wait. */
  const gate = { open: async (_text: string): Promise<void> => {} };
  /** Why the store does not answer to a text; null: it does. */
  const refusal = { of: (_rpc: Rpc, _text: string): AppError | null => null };
  const given = new Map<string, Set<string>>();
  const reading = () => ({ read_at: now(), source: shown.source });

  async function answer<Reply>(
    rpc: Rpc,
    text: string,
    call: CallOptions,
    reply: () => Reply,
  ): Promise<Reply> {
    calls.push({ rpc, text, call });
    await untilAborted(gate.open(text), call.signal);
    const failure = failures.get(rpc) ?? refusal.of(rpc, text);
    if (failure) throw failure;
    return reply();
  }

  function suggest(prefix: string): string[] {
    const topic = prefix.replace(/ .$/u, '');
    const before = given.get(topic) ?? new Set<string>();
    given.set(topic, before);
    const some = shown.terms.filter((term) => !before.has(term)).slice(0, shown.perPrefix);
    for (const term of some) before.add(term);
    return some;
  }

  const client: SuggestingStore = {
    searchApps: (request, call) =>
      answer('searchApps', request.term, call, () => ({
        reading: reading(),
        apps: shown.titles.slice(0, request.limit).map(fakeFoundApp),
      })),
    suggestTerms: (request, call) =>
      answer('suggestTerms', request.prefix, call, () => ({
        reading: reading(),
        suggestions: shown.isBelieved ? { terms: suggest(request.prefix) } : null,
      })),
  };

  return {
    client,
    shown,
    gate,
    refusal,
    /** All calls, in order. */
    calls,
    count: (rpc?: Rpc) => calls.filter((call) => rpc === undefined || call.rpc === rpc).length,
    /** All calls of an RPC fail, until `mend`. */
    fail: (rpc: Rpc, failure: AppError = storeFailed()) => failures.set(rpc, failure),
    mend: (rpc: Rpc) => failures.delete(rpc),
    /** The same terms are suggested again to whoever asks. */
    forget: () => given.clear(),
  };
}

export const storeFailed = () => new AppError('STORE_FETCH_FAILED', 'The App Store blocks us.');

/** As a real client: a call that is canceled fails. */
export function untilAborted<Result>(
  result: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const give = () => reject(new AppError('SERVICE_UNAVAILABLE', 'The service cannot be reached.'));
    if (signal?.aborted) return give();
    signal?.addEventListener('abort', give, { once: true });
    result.then(resolve, reject).finally(() => signal?.removeEventListener('abort', give));
  });
}

function fakeFoundApp(title: string, index: number): FoundApp {
  return {
    app_id: `app.${index + 1}`,
    title,
    icon: 'https://icons.test/1.png',
    developer_name: 'Harbour Software',
    updated_at: null,
  };
}
