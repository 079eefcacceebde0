import { setTimeout as sleep } from 'node:timers/promises';

/** One step of the main job. `problem` is null when it succeeded. */
export type TriedStep = { step: string; ms: number; problem: string | null };

// biome-ignore lint/suspicious/noExplicitAny: the steps check what they read
type Json = any;

type Connection = { url: string; key: string; signal: AbortSignal };

const market = { store: 'ITUNES', country: 'US', lang: 'en-US' };
const keywords = ['habit tracker', 'daily planner', 'to do list'];
/** Audits and slow stores included. */
const callTimeoutMs = 90_000;
const arrivesWithinMs = 120_000;
const pollMs = 1000;
const longestWaitSeconds = 60;

/**
 * Does the main job as a client of the API with this key. Ends with the first step that fails.
 * @param options.appId an app of the App Store; null: the first of the top chart
 */
export async function tryMainJob(options: {
  url: string;
  key: string;
  appId: string | null;
  /** Whether the gateway answers /mcp. */
  hasMcp: boolean;
  onStep(step: TriedStep): void;
  /** Ends the step that is being done, as failed. */
  signal: AbortSignal;
}): Promise<TriedStep[]> {
  const { url, key, appId, hasMcp, onStep, signal } = options;
  const done: TriedStep[] = [];
  const call = createCall({ url, key, signal });
  const attempt = async <Result>(step: string, run: () => Promise<Result>): Promise<Result> => {
    const startedAt = performance.now();
    const finish = (problem: string | null) => {
      const tried = { step, ms: Math.round(performance.now() - startedAt), problem };
      done.push(tried);
      onStep(tried);
    };
    try {
      const result = await run();
      finish(null);
      return result;
    } catch (error) {
      finish(explain(error));
      throw new StepFailed();
    }
  };
  try {
    const chartPath = `/top-charts?store=${market.store}&country=${market.country}&limit=10`;
    const first = await attempt('read a top chart', async () => (await call('GET', chartPath)).rows[0]);
    const id = await attempt('track an app', async () => {
      const tracked = await call('POST', '/applications', {
        app_id: appId ?? String(first.ios_id),
        ...market,
      });
      return Number(tracked.id);
    });
    await attempt('track three keywords', async () => {
      const { success_count } = await call('POST', '/keywords', { keywords, app_id: id, ...market });
      if (success_count !== keywords.length)
        throw new Error(`${success_count} of ${keywords.length} were read`);
    });
    const rows = await attempt('scores arrive in the list', () =>
      until(signal, async () => {
        const list = await call('GET', `/keywords?app_id=${id}`);
        const scored = list.filter((row: { traffic_score: number | null }) => row.traffic_score !== null);
        return scored.length === keywords.length ? list : null;
      }),
    );
    await attempt('the audit arrives in the list', () =>
      until(signal, async () => {
        const [app] = await call('GET', `/applications?app_id=${id}`);
        return app.aso_health === null ? null : app;
      }),
    );
    await attempt('read the audit', () => call('GET', `/applications/${id}/aso-health`));
    await attempt('read a rank history', () => call('GET', `/keywords/${rows[0].keyword_id}/ranks/history`));
    if (hasMcp) await attempt('call the assistant server', () => listTools({ url, key, signal }));
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
  }
  return done;
}

/** The step has been reported. */
class StepFailed extends Error {}

/** Calls that are refused for their rate, or while copies are replaced, are repeated as the answer says. */
function createCall({ url, key, signal }: Connection) {
  return async (method: string, path: string, body?: unknown): Promise<Json> => {
    for (let repeated = 0; ; repeated++) {
      const response = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
        signal: AbortSignal.any([signal, AbortSignal.timeout(callTimeoutMs)]),
        body: body === undefined ? null : JSON.stringify(body),
      });
      const answer = await readJson(response);
      if (response.ok) return answer.data;
      const wait = Number(response.headers.get('Retry-After'));
      if (wait > 0 && wait <= longestWaitSeconds && repeated < 5)
        await sleep(wait * 1000, undefined, { signal });
      else throw new Error(`${method} ${path}: ${response.status} ${answer.code}: ${answer.error}`);
    }
  };
}

async function readJson(response: Response): Promise<Json> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${response.url} answered ${response.status} without JSON. Is it a Shelfwise?`, {
      cause,
    });
  }
}

async function listTools({ url, key, signal }: Connection): Promise<void> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(callTimeoutMs)]),
  });
  const text = await response.text();
  if (!response.ok || !text.includes('"list_applications"'))
    throw new Error(`POST /mcp: ${response.status} ${text.slice(0, 200)}`);
}

async function until<Result>(signal: AbortSignal, read: () => Promise<Result | null>): Promise<Result> {
  const deadline = performance.now() + arrivesWithinMs;
  for (;;) {
    const result = await read();
    if (result !== null) return result;
    if (performance.now() > deadline)
      throw new Error(`not after ${arrivesWithinMs / 1000} s. Do the services reach Kafka? Look at /readyz.`);
    await sleep(pollMs, undefined, { signal });
  }
}

function explain(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { code?: string } };
  return cause?.code === undefined ? message : `${message} (${cause.code})`;
}
