import type { FoundApp } from '@shelfwise/proto/store/v1/store';
import { AppError } from '@shelfwise/runtime/errors';
import type { CallOptions } from '@shelfwise/runtime/grpc/grpc-types';
import type { StoreFetchClient } from '../src/analysis/query-store.ts';

type Rpc = keyof StoreFetchClient;

export type FakeStoreFetch = ReturnType<typeof createFakeStoreFetch>;

/**
 * A scripted store: titles of the result page and suggested terms. The terms are distributed over the requested
 * prefixes, so that a test can use any number of them.
 */
export function createFakeStoreFetch(now: () => Date) {
  const failures = new Map<Rpc, AppError>();
  const calls: { rpc: Rpc; text: string; call: CallOptions }[] = [];
  const shown = {
    terms: [] as string[],
    titles: [] as string[],
    hasSuggestions: true,
    source: 'sample',
    /** maximum number of terms per prefix */
    perPrefix: 100,
  };
  /** Resolves before each reply; a test can delay it. */
  const hooks = { beforeAnswer: async (_text: string): Promise<void> => {} };
  /** Why the store refuses a text; null: it replies. */
  const refusal = { of: (_rpc: Rpc, _text: string): AppError | null => null };
  const suggested = new Map<string, Set<string>>();
  const reading = () => ({ read_at: now(), source: shown.source });

  async function answer<Reply>(
    rpc: Rpc,
    text: string,
    call: CallOptions,
    reply: () => Reply,
  ): Promise<Reply> {
    calls.push({ rpc, text, call });
    await untilAborted(hooks.beforeAnswer(text), call.signal);
    const failure = failures.get(rpc) ?? refusal.of(rpc, text);
    if (failure) throw failure;
    return reply();
  }

  function suggest(prefix: string): string[] {
    const topic = prefix.replace(/ .$/u, '');
    const before = suggested.get(topic) ?? new Set<string>();
    suggested.set(topic, before);
    const terms = shown.terms.filter((term) => !before.has(term)).slice(0, shown.perPrefix);
    for (const term of terms) before.add(term);
    return terms;
  }

  const client: StoreFetchClient = {
    searchApps: (request, call) =>
      answer('searchApps', request.term, call, () => ({
        reading: reading(),
        apps: shown.titles.slice(0, request.limit).map(fakeFoundApp),
      })),
    suggestTerms: (request, call) =>
      answer('suggestTerms', request.prefix, call, () => ({
        reading: reading(),
        suggestions: shown.hasSuggestions ? { terms: suggest(request.prefix), is_uncertain: false } : null,
      })),
  };

  return {
    client,
    shown,
    hooks,
    refusal,
    /** All calls, in order. */
    calls,
    count: (rpc?: Rpc) => calls.filter((call) => rpc === undefined || call.rpc === rpc).length,
    /** Makes all calls of an RPC fail until `recover`. */
    fail: (rpc: Rpc, failure: AppError = storeFailed()) => failures.set(rpc, failure),
    recover: (rpc: Rpc) => failures.delete(rpc),
    /** Lets the store suggest the same terms again. */
    forget: () => suggested.clear(),
  };
}

export const storeFailed = () => new AppError('STORE_FETCH_FAILED', 'The App Store blocks us.');

/** Rejects when the call is canceled, as a real client does. */
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
