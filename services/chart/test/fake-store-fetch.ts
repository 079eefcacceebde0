import type { ChartedApp, GetChartReply, GetChartRequest } from '@shelfwise/proto/store/v1/store';
import { AppError } from '@shelfwise/runtime/errors';
import { createGate } from '../../../testing/gate.ts';
import type { StoreFetchClient } from '../src/read-chart.ts';

export type FakeStoreFetch = ReturnType<typeof createFakeStoreFetch>;

/**
 * A fake store-fetch service, at first with the App Store as its source. A test can set the chart of a category; the
 * others have a hundred apps.
 */
export function createFakeStoreFetch(now: () => Date) {
  const charts = new Map<string, ChartedApp[]>();
  const requests: GetChartRequest[] = [];
  const origin = { source: 'app-store' };

  const chart: StoreFetchClient['getChart'] = async ({
    category,
    on_day: onDay,
    limit,
  }): Promise<GetChartReply> => {
    const readAt = onDay ? new Date(`${onDay}T12:00:00Z`) : now();
    const apps = charts.get(onDay ? `${category} ${onDay}` : category) ?? appsOf(100);
    return { reading: { read_at: readAt, ...origin }, apps: apps.slice(0, limit) };
  };
  const answers = { chart };

  const client: StoreFetchClient = {
    getChart: (request, call) => {
      requests.push(request);
      return answers.chart(request, call);
    },
  };
  return {
    client,
    /** the source of all charts */
    origin,
    /** Holds the answers to these requests until the returned function is called. */
    hold(isHeld = (_request: GetChartRequest) => true): () => void {
      const { chart: before } = answers;
      const { opened, open } = createGate();
      answers.chart = async (request, call) => {
        if (isHeld(request)) await opened;
        call.signal?.throwIfAborted();
        return before(request, call);
      };
      return open;
    },
    /** Fails all requests until the returned function is called. */
    fail(): () => void {
      const { chart: before } = answers;
      answers.chart = () => Promise.reject(storeFailed());
      return () => {
        answers.chart = before;
      };
    },
    /** how the service answers; a test can replace it */
    answers,
    /** received requests, in order */
    requests,
    /** Sets the apps of a category, or their ids, in rank order: of `day`, or else of all days that are not set. */
    setChart: (category: string, apps: readonly (ChartedApp | string)[], day?: string) =>
      charts.set(
        day ? `${category} ${day}` : category,
        apps.map((app) => (typeof app === 'string' ? chartedApp(app) : app)),
      ),
  };
}

/** Apps with ids from 1001. */
export function appsOf(count: number): ChartedApp[] {
  return Array.from({ length: count }, (_, index) => chartedApp(String(1001 + index)));
}

export function chartedApp(appId: string, shown: Partial<ChartedApp> = {}): ChartedApp {
  return {
    app_id: appId,
    title: `Title of ${appId}`,
    icon: `https://icons.test/${appId}.png`,
    developer_name: `Developer of ${appId}`,
    score: 4.5,
    price: 0,
    currency: 'USD',
    ...shown,
  };
}

export const storeFailed = () => new AppError('STORE_FETCH_FAILED', 'The store blocks us. Try again later.');

/** Never answers; the caller's own signal ends the call. */
export function neverAnswer(_request: unknown, call: { signal?: AbortSignal }): Promise<never> {
  return new Promise((_resolve, reject) => {
    call.signal?.addEventListener('abort', () => reject(call.signal?.reason));
  });
}
