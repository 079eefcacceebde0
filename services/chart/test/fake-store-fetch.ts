import type { ChartedApp, GetChartReply, GetChartRequest } from '@shelfwise/proto/store/v1/store';
import { AppError } from '@shelfwise/runtime/errors';
import type { StoreFetchClient } from '../src/read-chart.ts';

export type FakeStoreFetch = ReturnType<typeof createFakeStoreFetch>;

/** A store whose charts a test can set, by category; the others have a hundred apps. It is the App Store at first. */
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
    /** The source of all charts. */
    origin,
    /** What answers; a test may put something else in place. */
    answers,
    /** Charts that were requested, in order. */
    requests,
    /** The apps of a category in rank order; of another day when that is given. */
    setChart: (category: string, apps: ChartedApp[], day?: string) =>
      charts.set(day ? `${category} ${day}` : category, apps),
  };
}

/** Apps with the ids 1001 and up. */
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

/** A service that never answers: the caller's own signal ends the call. */
export function neverAnswer(_request: unknown, call: { signal?: AbortSignal }): Promise<never> {
  return new Promise((_resolve, reject) => {
    call.signal?.addEventListener('abort', () => reject(call.signal?.reason));
  });
}
