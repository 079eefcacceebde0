import { routes } from '@shelfwise/gateway/routes/index';
import { type Account, makeVisit, routeCount, routeOf, visitsOfCycle } from './journey.ts';

const account: Account = { key: 'k', appId: 7, storeAppId: '1', keywordIds: [3, 4], otherApps: ['2', '5'] };

/** What every call gets: rows and ids of everything that a visit looks for. */
function callsOf(visit: number, isWhole: boolean): string[] {
  const made: string[] = [];
  const steps = makeVisit(account, visit, isWhole);
  let answer: unknown;
  for (;;) {
    const next = steps.next(answer);
    if (next.done) return made;
    const { body } = next.value;
    const keyword = (body as { keywords?: string[] } | undefined)?.keywords?.[0] ?? lastKeyword;
    lastKeyword = keyword;
    made.push(routeOf(next.value));
    const row = { id: 9, keyword_id: 3, keyword };
    answer = next.value.method === 'GET' ? [row] : row;
  }
}
let lastKeyword = '';

test('a whole visit calls every route of the API', () => {
  const all = routes.map(
    ({ method, path }) =>
      `${method.toUpperCase()} ${path.replace('/api/v1', '').replaceAll(/\{\w+\}/g, '{id}')}`,
  );
  expect(new Set(callsOf(0, true))).toEqual(new Set(all));
  expect(routeCount).toBe(all.length);
});

test('the visits of a cycle have every part, and the next cycle is the same', () => {
  const cycle = (first: number) =>
    Array.from({ length: visitsOfCycle }, (_, index) => callsOf(first + index, false));
  const routesOfCycle = new Set(cycle(0).flat());
  expect(routesOfCycle).toEqual(new Set(callsOf(0, true)));
  expect(cycle(visitsOfCycle)).toEqual(cycle(0));
});

test('a visit removes what an earlier one has left instead of adding it again', () => {
  const made: string[] = [];
  const steps = makeVisit(account, 0, true);
  for (let next = steps.next(); !next.done; ) {
    const { method, path } = next.value;
    made.push(routeOf(next.value));
    const isList = method === 'GET' && /^\/(competitors|applications)(\?|$)/.test(path);
    next = steps.next(isList ? [{ id: 9, app_id: '5', competitor: { app_id: '2' } }] : null);
  }
  expect(made).not.toContain('POST /competitors');
  expect(made).not.toContain('POST /applications');
  expect(made).toEqual(expect.arrayContaining(['DELETE /competitors/{id}', 'DELETE /applications/{id}']));
});

test('a visit goes on without what a failed call would have told', () => {
  const steps = makeVisit(account, 0, true);
  let count = 0;
  while (!steps.next(null).done) count++;
  expect(count).toBeGreaterThan(20);
});

test('routes have no numbers and no parameters', () => {
  expect(routeOf({ method: 'GET', path: '/keywords/12/ranks/history?from=2026-01-01' })).toBe(
    'GET /keywords/{id}/ranks/history',
  );
  expect(routeOf({ method: 'DELETE', path: '/keywords/12/apps/7' })).toBe('DELETE /keywords/{id}/apps/{id}');
});
