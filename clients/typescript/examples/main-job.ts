// The main job with the client: tracks an app and 20 keywords, reads their ranks page by page, inspects a keyword, reads the audit and
// scores a draft. Prints a line of JSON for each step.
//   SHELFWISE_API_KEY=… SHELFWISE_BASE_URL=http://localhost:8080 node main-job.ts
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, createClient, ShelfwiseError } from '@shelfwise/client';

const { SHELFWISE_API_KEY: apiKey = '', SHELFWISE_BASE_URL: baseUrl = 'http://localhost:8080' } = process.env;

const market = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;
const keywords =
  'habit tracker,habits,daily routine,routine planner,goal tracker,habit builder,streak tracker,morning routine,to do list,task manager,reminders,tasks,checklist,planner,daily planner,calendar,weekly planner,focus timer,notes,meditation'.split(
    ',',
  );
const pageRows = 7;
/** A way out for what never comes. */
const mostPolls = 150;
const pollMs = 2000;

let retries = 0;
const client = createClient({ baseUrl, apiKey, onRetry: () => retries++ });
const print = (step: string, facts: object) => console.log(JSON.stringify({ step, ...facts, retries }));

const id = await insist(trackApp);
print('app', { id });

const refused = await insist(trackKeywords);
print('keywords', { refused });

let rows = 0;
let unranked = 0;
for await (const { current_rank: rank } of client.rows.listKeywords({ app_id: id, per_page: pageRows })) {
  rows++;
  if (rank === null) unranked++;
}
print('ranks', { rows, unranked, pages: Math.ceil(rows / pageRows) });

const inspected = await client.inspectKeyword({ keyword: 'habit tracker', ...market });
print('inspection', {
  traffic: inspected.data.traffic_score,
  difficulty: inspected.data.difficulty_score,
  apps: inspected.data.ranking.length,
  warnings: inspected.warnings,
});

await untilAudited();
const audit = await client.getAsoHealth({ id, include_words: true });
print('audit', { global: audit.data.report?.global ?? null, warnings: audit.warnings });

const draft = await insist(() =>
  client.simulateMetadata({ app_id: id, subtitle: 'Routine Planner: Goals & Mood' }),
);
print('draft', { global: draft.data.aso_health?.global ?? null, delta: draft.data.delta?.global ?? null });

/** The id of the app, tracked now or before. */
async function trackApp(): Promise<number> {
  try {
    const { data } = await client.trackApplication({ app_id: '9005997251', ...market });
    return data.id;
  } catch (error) {
    if (error instanceof ApiError && error.details && 'id' in error.details) return error.details.id;
    throw error;
  }
}

/** The keywords that the store or the API refuses; one that is tracked already is none of them. */
async function trackKeywords(): Promise<string[]> {
  const { data } = await client.trackKeywords({ app_id: id, keywords, ...market });
  const { data: tracked } = await client.listKeywords({ app_id: id });
  const isTracked = (keyword: string) => tracked.some((one) => one.keyword === keyword);
  return data.results.map(({ keyword }) => keyword).filter((keyword) => !isTracked(keyword));
}

async function untilAudited(): Promise<void> {
  for (let polls = 0; polls < mostPolls; polls++) {
    const { data } = await client.listApplications({ app_id: id });
    if (data[0]?.aso_health) return;
    await sleep(pollMs);
  }
  throw new Error('there is no audit');
}

/**
 * A write without an answer may have been done, so the client does not repeat it. This program may: tracking finds what the first call
 * did, and a draft that is scored twice only spends a second request.
 */
async function insist<Result>(write: () => Promise<Result>): Promise<Result> {
  for (let left = 5; ; left--) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof ShelfwiseError && error.isTemporary) || left <= 0) throw error;
      retries++;
      await sleep(pollMs);
    }
  }
}
