import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { account } from '@shelfwise/app/commands/account';
import { commonWordLists } from '@shelfwise/facts/text/common-word-lists';
import { stopWordLists } from '@shelfwise/facts/text/stop-word-lists';
import { createApi } from '../../testing/system/api.ts';
import { runCommandHere } from '../../testing/system/run-command-here.ts';
import { setMode, storeAddresses } from '../../testing/system/stand-in.ts';
import { startSystemProcess } from '../../testing/system/system-process.ts';
import { createExpectations } from '../lib/expectations.ts';
import { readOptions } from '../lib/options.ts';
import { temporaryFolder } from '../lib/temporary-folder.ts';
import { answersOf, differencesOf } from './compare.mjs';
import { createPublicPages } from './independent/public-pages.mjs';
import { createWords } from './independent/words.mjs';
import { isRead, openDocuments } from './read-documents.mjs';

/** With the first day of the sample below: its application changes its listing on the eighth, and seven days follow. */
const effectDays = 15;
const { store, days, details } = readOptions(
  'npm run rival-answers',
  `Compares the answers about rivals and changes (keyword-gap, ranked-by, rank-matrix, share-of-voice, changes) with a second
computation from the stored pages, which shares no code with the product: every number, in all sorts and filters and on all pages.
With --store on recorded pages of one day, without it on the sample, day by day. A second account tracks, and the first one
inspects, terms that must change nothing. What was read of each term is remembered by day: accounts that do not track a public term
see one of these readings a week.`,
  {
    store: ['', 'a stand-in for both stores with POST /__control'],
    days: [effectDays, 'how many days of the sample are read', [1, 28]],
    details: [false, 'also the answers themselves'],
  },
);
const storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' };
const recorded = {
  appId: '281796108',
  rivals: ['410395246', '778658393', '749132901'],
  others: ['333710667', '374211477', '392188745', '743974925', '1044867788'],
  keywords:
    'notes,notebook,note taking,notepad,pdf,annotate pdf,handwriting,meeting notes,to do list,checklist,organizer,planner,document scanner,web clipper,journal,memo,reminders,task manager,sketch,business cards',
  ofOther: 'recipe box,habit diary,voice recorder,whiteboard,flashcards',
  inspected: ['grocery list', 'mind map'],
};
const sample = {
  appId: '9005997251',
  rivals: ['9001024212', '9080003193', '9096140311'],
  others: ['9048598736', '9004445605'],
  keywords:
    'habit tracker,routine,daily planner,goals,mood,streak,reminder,focus,journal,to do,planner,habit,habits,goal tracker,mood tracker,self care,daily routine,streaks,routine planner,checklist',
  ofOther: 'habit tracker journal,habit tracker water,tracker of good habits,meditation,calorie counter',
  inspected: ['habit reminders', 'journal for new habits'],
};
/**
 * Of the sample. Each day begins when all of it is due: its last hour is left for what is late.
 */
const firstTime = '2026-01-04T23:05:00Z';
const dayMs = 86_400_000;
const scene = store === '' ? sample : recorded;
/** A way out for what never comes; far longer than a busy machine needs. */
const giveUpMs = 900_000;
const lookMs = 2000;
/** After this many equal looks nothing is being read or computed. */
const calmLooks = 3;

const words = createWords({ stopWords: stopWordLists.en, commonWords: commonWordLists.en });
const publicPages = createPublicPages();
const { expectThat, conclude } = createExpectations();
const dataDir = temporaryFolder('rival-answers');
if (store === '') await onSample();
else await onRecordedPages();
process.exitCode = conclude();

async function onRecordedPages() {
  await setMode(store, 'ok');
  const settings = {
    ...storeAddresses(store),
    STORE_SOURCE: 'live',
    // An application, its competitors and all their words at once exceed the usual budgets of a minute.
    STORE_ITUNES_PER_MINUTE: '3000',
    STORE_ITUNES_PAGES_PER_MINUTE: '3000',
    STORE_ITUNES_HINTS_PER_MINUTE: '3000',
  };
  await during(
    settings,
    () => new Date(),
    async (system) => {
      const { tracked, asked } = await track(system);
      await compare(system, tracked, asked);
    },
  );
}

async function onSample() {
  const clockFile = join(dataDir, 'clock');
  const settings = {
    FAULTS_CLOCK_FILE: clockFile,
    FAULTS_CLOCK_PORT: '0',
    NODE_OPTIONS: `--import ${new URL('../faults/shift-clock.mjs', import.meta.url)}`,
  };
  // One with a short history, and one with all of it.
  const comparedDays = [Math.min(8, days - 1), days - 1];
  let known = null;
  for (let day = 0; day < days; day += 1) {
    const ms = Date.parse(firstTime) + day * dayMs - Date.now();
    writeFileSync(clockFile, String(ms));
    await during(
      settings,
      () => new Date(Date.now() + ms),
      async (system) => {
        known ??= await track(system);
        const { tracked, asked } = known;
        if (!comparedDays.includes(day)) return untilRead(system, tracked, { hasClaims: true });
        const answers = await compare(system, tracked, asked);
        if (day + 1 >= effectDays)
          expectThat(answers.some(hasEffect), 'ranks before and after a change are known');
      },
    );
  }
}

/** Whether an answer has ranks before and after a change for a group of keywords and the control. */
function hasEffect({ data }) {
  const effects = Array.isArray(data) ? data.flatMap(({ effect }) => effect ?? []) : [];
  return effects.some(({ added, control }) => added.rank_before !== null && control.rank_after !== null);
}

/** While the product runs. `now`: its clock, to the second. */
async function during(settings, now, run) {
  const system = await startSystemProcess({
    SHELFWISE_DATA_DIR: dataDir,
    SHELFWISE_DEMO_ACCOUNT: 'false',
    ...settings,
  });
  const documents = await openDocuments(dataDir, settings.STORE_SOURCE === 'live' ? '' : '_sample');
  try {
    await run({ url: system.url, documents, now, since: now().toISOString().slice(0, 10) });
  } finally {
    await documents.close();
    const code = await system.end('SIGINT');
    expectThat(code === 0, 'Ctrl-C stops the system with exit code 0');
  }
}

/** Two accounts track the application; the first one has the competitors, the other one tracks these and more as its own. Returns how many keywords there are, and what is compared. */
async function track({ url }) {
  const create = async (name) => {
    const args = ['create', '--email', `${name}@example.com`, '--plan', 'unlimited', '--json'];
    const { stdout } = await runCommandHere(account, args, { SHELFWISE_DATA_DIR: dataDir });
    const { id, key } = JSON.parse(stdout);
    return { id, key, api: createApi(url, key, { isPatient: true }) };
  };
  const [ann, bob] = [await create('ann'), await create('bob')];
  let appId = 0;
  for (const { api } of [ann, bob]) {
    const answer = await api('POST', '/applications', { app_id: scene.appId, ...storefront });
    appId = answer.body.data.id;
  }
  // The words of their names and subtitles are then public.
  for (const rival of [...scene.rivals, ...scene.others])
    await succeed(bob, 'POST', '/applications', { app_id: rival, ...storefront });
  for (const competitor of scene.rivals)
    await succeed(ann, 'POST', '/competitors', {
      app_id: appId,
      competitor_app_id: competitor,
      ...storefront,
    });
  let tracked = 0;
  for (const [who, keywords] of [
    [ann, scene.keywords],
    [bob, scene.ofOther],
  ]) {
    const body = { app_id: appId, keywords: keywords.split(','), ...storefront };
    const { data } = await succeed(who, 'POST', '/keywords', body);
    for (const { keyword, error } of data.results) if (error) console.log(`  ${keyword}: ${error}`);
    tracked += data.success_count;
  }
  for (const keyword of scene.inspected)
    await succeed(ann, 'GET', `/keywords/inspect?${new URLSearchParams({ keyword, ...storefront })}`);
  const { data } = await succeed(ann, 'GET', `/keywords?app_id=${appId}`);
  for (const { keyword_id: id } of data.slice(5, 8))
    await succeed(ann, 'PATCH', `/keywords/${id}/apps/${appId}/favorite`, { is_favorite: true });
  console.log(`${tracked} keywords of two accounts are tracked`);
  return { tracked, asked: { key: ann.key, owner: { accountId: ann.id, listingId: appId } } };
}

async function succeed({ api }, method, path, body) {
  const answer = await api(method, path, body);
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.body.error}`);
  return answer.body;
}

/**
 * Waits until all that is due was read and nothing changes any more. Returns the documents.
 * @param hasClaims whether jobs may still run
 */
async function untilRead({ documents, now, since }, tracked, { hasClaims = false } = {}) {
  const giveUpAt = performance.now() + giveUpMs;
  let last = '';
  for (let calm = 0; ; calm += 1) {
    const read = await documents.readAll();
    const text = stateOf(read);
    if (text !== last || !isRead(read, { tracked, since, at: now(), hasClaims })) calm = 0;
    if (calm === (hasClaims ? 1 : calmLooks)) {
      publicPages.remember(read);
      return read;
    }
    if (performance.now() > giveUpAt) throw new Error('what is due is not read within 15 minutes');
    last = text;
    await sleep(lookMs);
  }
}

/** What changes when something that answers are made from does. */
function stateOf({ terms, audits, baskets, ...others }) {
  return JSON.stringify([
    terms.map(({ revision, ranking, public_until: until }) => [revision, ranking?.read_at, until]),
    audits.map(({ computed_at: at }) => at),
    baskets.map(({ version, revision }) => [version, revision]),
    Object.values(others).map(({ length }) => length),
  ]);
}

/** Compares all answers with documents that stay as they are meanwhile. Returns the answers. */
async function compare(system, tracked, { key, owner }) {
  const api = createApi(system.url, key, { isPatient: true });
  for (;;) {
    const documents = await untilRead(system, tracked);
    const at = system.now();
    const outcomes = [];
    const answers = [];
    for (const { path, query, expected, shown = (answer) => answer } of answersOf(documents, {
      owner,
      at,
      words,
    })) {
      const { status, body } = await api('GET', `${path}?${new URLSearchParams(query)}`);
      const name = `${path} ${JSON.stringify(query)}`;
      if (status !== 200) outcomes.push({ name, differences: [`${status} ${body.error}`], rows: 0 });
      else outcomes.push({ name, differences: differencesOf(expected(), shown(body)), rows: rowsOf(body) });
      answers.push(body);
      if (details) console.log(JSON.stringify({ name, body }));
    }
    if (stateOf(await system.documents.readAll()) !== stateOf(documents)) continue;
    const { terms, snapshots, pageDays } = documents;
    console.log(
      `\n# ${at.toISOString().slice(0, 10)}: ${terms.length} terms, ${snapshots.length} snapshots, ${pageDays.length} days of baskets`,
    );
    const ofPages = publicPages.differences(documents, at);
    outcomes.push({ name: 'public pages', differences: ofPages, rows: terms.length });
    for (const { name, differences, rows } of outcomes) {
      expectThat(differences.length === 0, `${name}: ${rows} rows`);
      for (const difference of differences.slice(0, 5)) console.log(`    ${difference}`);
      if (differences.length > 5) console.log(`    and ${differences.length - 5} further differences`);
    }
    return answers;
  }
}

function rowsOf({ data }) {
  return (Array.isArray(data) ? data : (data.rows ?? data.history)).length;
}
