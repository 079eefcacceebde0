import { localSocketPath } from '@shelfwise/embedded/local-socket';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import { overlapRetryMs } from '@shelfwise/scoring/stores/listing-store';
import { type Api, createApi } from '../../testing/system/api.ts';
import { waitUntilIdle } from '../scripts/record-examples/wait-until-idle.ts';
import { createSampleClock } from '../src/start/sample-clock.ts';
import type { System } from '../src/start/start-system.ts';
import { storefront, useSystems } from './use-systems.ts';

const { start, account, dataDir } = useSystems();

/** A Wednesday: the week of a page begins before its day. */
const SAMPLE_DAY = '2026-02-04';
const now = createSampleClock(SAMPLE_DAY);
const own = '9005997251';
const rivals = ['9008188700', '9048598736'];
const query = new URLSearchParams(storefront).toString();

/** What only one account does, by how. The store suggests the first of each, and no store suggests the last. */
const privateTexts = {
  tracked: ['habit tracker journal', 'habit tracker water', 'tracker of good habits'],
  inspected: ['habit journal', 'habit reminders', 'journal for new habits'],
  drafted: ['Goal Planner', 'streak tracker', 'Habits Beside Goals'],
  kept: ['habit builder', 'mood habits', 'bad habits'],
};

async function openScoring() {
  const uri = `mongodb://${encodeURIComponent(localSocketPath(dataDir(), 'mongodb.sock'))}`;
  const logger = createLogger({ name: 'test', level: 'silent', destination: process.stderr });
  return connectMongo({ uri, database: 'shelfwise_scoring_sample', logger });
}

type Scoring = Awaited<ReturnType<typeof openScoring>>;

/**
 * Waits until no event is on its way, and nothing is due, claimed or about to be: an audit that was overtaken is repeated
 * within seconds.
 */
async function untilSettled(system: System, scoring: Scoring): Promise<void> {
  const countLeft = async () => {
    const isSoon = { due_at: { $lte: new Date(now().getTime() + 2 * overlapRetryMs) } };
    const isLeft = { $or: [isSoon, { claimed_by: { $ne: null }, due_at: { $ne: null } }] };
    const counts = ['terms', 'listings'].map((name) => scoring.collection(name).countDocuments(isLeft));
    return (await Promise.all(counts)).reduce((sum, count) => sum + count);
  };
  // Without the time limit of `until`: a claim may have to expire, which takes a minute.
  do await waitUntilIdle(system);
  while ((await countLeft()) > 0);
}

/** The whole answers of everything that is made from kept pages, with their totals and times. */
async function readAll(api: Api, appId: number): Promise<unknown[]> {
  const app = `/applications/${appId}`;
  const paths = [
    `${app}/keyword-gap?own_min_rank=2&rival_max_rank=20&min_traffic=0&include_brands=true&per_page=200`,
    `${app}/keyword-gap?own_min_rank=21&rival_max_rank=20&min_traffic=0&sort=traffic&per_page=200`,
    `${app}/share-of-voice`,
    `${app}/rank-matrix?days=1`,
    ...[own, ...rivals].map((id) => `/keywords/ranked-by?app_id=${id}&${query}&per_page=200`),
  ];
  const answers = [];
  for (const path of paths) {
    const { status, body } = await api('GET', path);
    expect([path, status]).toEqual([path, 200]);
    answers.push(body);
  }
  return answers;
}

/** Tracks the app with both rivals. */
async function trackApp(api: Api): Promise<number> {
  const { body } = await api('POST', '/applications', { app_id: own, ...storefront });
  for (const id of rivals)
    await api('POST', '/competitors', { app_id: body.data.id, competitor_app_id: id, ...storefront });
  return body.data.id;
}

test('terms that only another account tracks, inspects, drafts or keeps change nothing in what an account sees', async () => {
  const { url, system } = await start({ SAMPLE_DAY });
  const createAccount = async (email: string) => {
    const { stdout } = await account(['create', '--email', email, '--plan', 'unlimited', '--json']);
    return createApi(url, JSON.parse(stdout).key);
  };
  const [ann, bob] = [await createAccount('ann@example.com'), await createAccount('bob@example.com')];
  const appId = await trackApp(ann);
  const keywords = ['habit tracker', 'routine'];
  await ann('POST', '/keywords', { app_id: appId, keywords, ...storefront });
  // The same apps, whose texts are public: what bob does below is all that is private.
  expect(await trackApp(bob)).toBe(appId);
  const scoring = await openScoring();
  try {
    await untilSettled(system, scoring);
    const before = await readAll(ann, appId);
    const seen = (before as { data: { keyword: string; is_tracked: boolean }[] }[]).at(-1)?.data ?? [];
    const shared = seen.filter(({ is_tracked: isTracked }) => !isTracked).map(({ keyword }) => keyword);
    expect(shared.length).toBeGreaterThan(1);

    const { tracked, inspected, drafted, kept } = privateTexts;
    // Also public terms, whose pages are then read to rank 100 and on this day.
    const tracking = { app_id: appId, keywords: [...tracked, ...shared.slice(0, 1)], ...storefront };
    const answers = [await bob('POST', '/keywords', tracking)];
    for (const term of [...inspected, ...shared.slice(1, 2)])
      answers.push(await bob('GET', `/keywords/inspect?keyword=${encodeURIComponent(term)}&${query}`));
    const [title, subtitle, description] = drafted;
    answers.push(await bob('POST', '/metadata/simulate', { app_id: appId, title, subtitle }));
    answers.push(await bob('POST', '/metadata/simulate', { ...storefront, title: description }));
    const field = { kw_field: kept.join(',') };
    answers.push(await bob('PUT', `/applications/${appId}/keywords-field`, field));
    expect(answers.map(({ status, body: { error } }) => error ?? status)).toEqual(answers.map(() => 200));
    await untilSettled(system, scoring);

    // Of each sort there is a page with a rival among the first 20 that is kept for this reason alone.
    const pages = await scoring
      .collection('terms')
      .find({ public_until: null, 'ranking.app_ids': { $in: rivals } })
      .toArray();
    const hidden = pages.filter(({ ranking }) =>
      rivals.some((id) => ranking.app_ids.slice(0, 20).includes(id)),
    );
    const terms = hidden.map(({ keyword }) => keyword);
    const isHidden = (text: string) => terms.includes(text.toLowerCase());
    expect(Object.values(privateTexts).map((texts) => texts.some(isHidden))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(await readAll(ann, appId)).toEqual(before);
    // The other account does see what it tracks.
    const bobs = JSON.stringify(await readAll(bob, appId));
    expect(tracked.filter((term) => bobs.includes(`"${term}"`))).toEqual(tracked);
  } finally {
    await scoring.close();
  }
});
