import { deepEqual } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { System } from '@shelfwise/app/start/start-system';
import type { RecordedExample } from '@shelfwise/gateway/openapi/recorded-examples';
import { routes } from '@shelfwise/gateway/routes/index';
import type { Route } from '@shelfwise/gateway/routes/route/define-route';
import { createRunningClock } from '../../../testing/running-clock.ts';
import { toSampleRequest } from '../../../testing/sample-request.ts';
import { createApi } from '../../../testing/system/api.ts';
import { letWindowsPass } from '../../../testing/system/rate-windows.ts';
import { startSampleSystem } from '../../../testing/system/start-sample-system.ts';
import { shortenLists } from './shorten-lists.ts';
import { waitUntilIdle } from './wait-until-idle.ts';

/** The system’s clock starts here. All times of this day in the examples are replaced by it; days, and times shown to the day, stay. */
const startsAt = '2026-11-21T09:30:00.000Z';
const timeOfToday = /2026-11-21T(?!00:00:00\.000Z)[\d:.]+Z/g;
/** Another one in every recording. */
const linkAddress = /http:\/\/localhost:\d+(\/dashboard\/shared\/sw_share_)[0-9A-Za-z]{43}/g;
const linkEnd = /2026-12-21T[\d:.]+Z/g;
const webhookId = /msg_[0-9a-f-]{36}/g;
const webhookSecret = /whsec_[0-9A-Za-z+/]{43}=/g;
const yesterday = '2026-11-20';

const isRemoval = ({ method }: Route) => method === 'delete';
const isChange = ({ method }: Route) => ['post', 'put', 'patch'].includes(method);
const isReading = ({ method }: Route) => method === 'get';

/**
 * Answers of every endpoint to its `sample`, by operationId, recorded from a new system on the sample store. Changes come
 * first, then readings, both in the order of the routes, then removals in the reverse order. The log of the system goes to
 * `destination`, by default stderr.
 */
export async function recordExamples(
  options: { destination?: NodeJS.WritableStream } = {},
): Promise<Record<string, RecordedExample>> {
  const clock = createRunningClock(Date.parse(startsAt));
  const { system, stop } = await startSampleSystem('examples', { ...clock, post: receive, ...options });
  letWindowsPass(system.url, clock.moveBy);
  try {
    const { key } = await system.accounts.create({ email: 'examples@example.com', plan: 'unlimited' });
    const call = createApi(system.url, key);
    const examples: Record<string, RecordedExample> = {};
    const record = async (route: Route) => {
      const { path, body } = toSampleRequest(route);
      const answer = await call(route.method.toUpperCase(), path.replace('/api/v1', ''), body);
      if (answer.status !== (route.status ?? 200))
        throw new Error(`${route.operationId} failed: ${JSON.stringify(answer.body)}`);
      examples[route.operationId] = toExample(route, answer.body);
    };

    // A job inspects its words at the same time: the one that ends first would get the first id.
    for (const route of routes.filter(({ operationId }) => operationId === 'inspectKeyword'))
      await record(route);
    for (const route of routes.filter(isChange)) {
      await record(route);
      await waitUntilIdle(system);
    }
    await takeSnapshotsOf(yesterday, system);
    for (const route of routes.filter(isReading)) await record(route);
    for (const route of routes.filter(isRemoval).reverse()) await record(route);
    return examples;
  } finally {
    await stop();
  }
}

/** The receiver of every channel. */
const receive = async () => ({ status: 200, durationMs: 120, answer: 'ok', isWhole: true });

/** @throws when the answer is not as the route describes it */
function toExample({ data, meta }: Route, answer: object): RecordedExample {
  const text = JSON.stringify(answer)
    .replaceAll(timeOfToday, startsAt)
    .replaceAll(webhookId, 'msg_7c9e6679-7425-40de-944b-e07fc1f90ae7')
    .replaceAll(webhookSecret, `whsec_${'x'.repeat(43)}=`)
    .replaceAll(linkEnd, '2026-12-21T09:30:00.000Z')
    .replaceAll(linkAddress, `http://localhost:8080$1${'x'.repeat(43)}`);
  const whole = JSON.parse(text);
  deepEqual(data.parse(whole.data), whole.data);
  if (meta) deepEqual(meta.parse(whole.meta), whole.meta);
  return shortenLists(whole);
}

/** Gives the histories a second day. */
async function takeSnapshotsOf(day: string, system: System): Promise<void> {
  const call = () => ({ requestId: `examples-${randomUUID()}`, deadline: new Date(Date.now() + 10_000) });
  const { tracking } = system.clients;
  let { run } = await tracking.startSnapshotRun({ day, all_of_today: false }, call());
  while (run && !run.is_over) ({ run } = await tracking.getSnapshotRun({}, call()));
  await waitUntilIdle(system);
}
