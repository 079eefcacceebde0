import { createMetrics } from '@shelfwise/runtime/metrics';
import { createClients } from '../../src/clients.ts';
import { createGateway, type GatewayDeps } from '../../src/gateway.ts';
import { createOpenApiDocument } from '../../src/openapi.ts';
import { builtInPlans } from '../../src/plans/plans.ts';
import { routes as allRoutes } from '../../src/routes/index.ts';
import { createDocumentCheck } from './check-documented.ts';
import { createRecordingLogger } from './recording-logger.ts';
import { startDatabase } from './start-database.ts';
import { startFakeTracking } from './start-fake-tracking.ts';

export type ApiAnswer = {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever comes
  body: any;
};

/** A clock that stands still until the test moves it. */
export function createTestClock(startsAt = '2026-06-15T12:00:00Z') {
  let elapsedMs = 0;
  const start = Date.parse(startsAt);
  return {
    now: () => new Date(start + elapsedMs),
    monotonicMs: () => elapsedMs,
    advance(ms: number) {
      elapsedMs += ms;
    },
  };
}

/**
 * The real gateway on a free port with a database of its own and a fake tracking service. Call it at the top of a test
 * file; it starts before the file's tests and stops after them.
 */
export function useGateway(options: Partial<GatewayDeps> = {}) {
  const clock = createTestClock();
  const { logger, lines } = createRecordingLogger();
  const metrics = createMetrics();
  const harness = {
    clock,
    lines,
    metrics,
    url: '',
    key: '',
    accountId: '',
    gateway: undefined as unknown as ReturnType<typeof createGateway>,
    tracking: undefined as unknown as Awaited<ReturnType<typeof startFakeTracking>>,
    connection: undefined as unknown as GatewayDeps['connection'],
    /** A new account, so that windows and quota are fresh. */
    async createKey(plan = 'unlimited') {
      const email = `${Math.random().toString(36).slice(2)}@example.com`;
      return harness.gateway.accounts.create({ email, plan });
    },
    call,
  };

  const document = createOpenApiDocument(options.routes ?? allRoutes);
  const checkDocumented = createDocumentCheck(document as Parameters<typeof createDocumentCheck>[0]);

  /**
   * One request; an answer under /api/v1 must be as the OpenAPI document says. Time passes before it, so that the rate
   * windows play no part, unless it comes `atOnce`.
   */
  async function call(
    method: string,
    path: string,
    request: {
      key?: string | null;
      body?: unknown;
      raw?: RequestInit['body'];
      headers?: Record<string, string>;
      atOnce?: boolean;
    } = {},
  ): Promise<ApiAnswer> {
    if (!request.atOnce) clock.advance(1020);
    const key = request.key === undefined ? harness.key : request.key;
    const body = request.body === undefined ? request.raw : JSON.stringify(request.body);
    const response = await fetch(`${harness.url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(key !== null && { 'x-api-key': key }),
        ...(request.body !== undefined && { 'content-type': 'application/json' }),
        ...request.headers,
      },
      ...(body !== undefined && body !== null && { body }),
    });
    const text = await response.text();
    const isJson = text !== '' && response.headers.get('content-type')?.startsWith('application/json');
    const answer = isJson ? JSON.parse(text) : text;
    const { status, headers } = response;
    if (path.startsWith('/api/v1') && !path.startsWith('/api/v1/openapi.json') && method !== 'HEAD')
      checkDocumented(method, path, status, answer);
    return { status, headers, body: answer };
  }

  const closing: (() => Promise<void> | void)[] = [];
  beforeAll(async () => {
    const database = await startDatabase();
    closing.push(database.stop);
    harness.connection = database.connection;
    harness.tracking = await startFakeTracking();
    closing.push(harness.tracking.stop);
    const { address } = harness.tracking;
    const { clients, close } = createClients({ tracking: address, storeFetch: address });
    closing.push(close);
    harness.gateway = createGateway({
      connection: database.connection,
      isDatabaseEmbedded: true,
      clients,
      plans: builtInPlans,
      logger,
      metrics,
      now: clock.now,
      monotonicMs: clock.monotonicMs,
      port: 0,
      trustProxy: false,
      shownSettings: {},
      nodeVersion: process.versions.node,
      ...options,
    });
    await harness.gateway.start();
    closing.push(harness.gateway.stop);
    harness.url = `http://127.0.0.1:${harness.gateway.address()?.port}`;
    const account = await harness.createKey();
    harness.key = account.key;
    harness.accountId = account.id;
  });
  beforeEach(() => {
    harness.tracking.forget();
    // The windows of the tests before are over.
    clock.advance(60_000);
  });
  afterAll(async () => {
    for (const close of closing.reverse()) await close();
  });
  return harness;
}
