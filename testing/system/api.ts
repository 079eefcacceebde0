/** An answer of the API: its status, body and the time that it took. */
export type ApiAnswer = {
  status: number;
  body: {
    // biome-ignore lint/suspicious/noExplicitAny: a script prints whatever comes
    data?: any;
    meta?: Record<string, unknown>;
    error?: string;
    code?: string;
  };
  ms: number;
};

export type Api = (method: string, path: string, body?: unknown) => Promise<ApiAnswer>;

/** A caller of the API with one key. Refused by a rate window, it waits as long as it is told and asks again. */
export function createApi(url: string, key: string): Api {
  return async function call(method, path, body) {
    for (;;) {
      const startedAt = performance.now();
      const response = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const answer = {
        status: response.status,
        body: (await response.json()) as ApiAnswer['body'],
        ms: performance.now() - startedAt,
      };
      if (answer.body.code !== 'RATE_LIMITED') return answer;
      const seconds = Number(response.headers.get('retry-after') ?? 1);
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    }
  };
}
