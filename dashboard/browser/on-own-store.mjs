// Journeys on a store of their own: hostile texts, a store that refuses to be read for two days, and what it costs to undo a removal.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createNewcomer } from '../../scripts/newcomer.mjs';
import { until } from '../../scripts/until.mjs';
import { hostile, hostileAppId, startFakeStore } from './fake-store.mjs';
import { check, createAccount, lookAtPages, noteStates, openPage, signInByKey } from './tools.mjs';

const shiftClock = fileURLToPath(new URL('../../experiments/faults/shift-clock.mjs', import.meta.url));
const dayMs = 86_400_000;
const list = '/dashboard/apps/1/keywords';

export async function onOwnStore(browser, { folder }) {
  const { store, settings, stop } = await startFakeStore();
  const newcomer = createNewcomer({
    ...settings,
    NODE_OPTIONS: `--import ${shiftClock}`,
    FAULTS_CLOCK_PORT: '0',
  });
  const clockFile = join(newcomer.environment.SHELFWISE_DATA_DIR, 'clock');
  newcomer.environment.FAULTS_CLOCK_FILE = clockFile;
  try {
    const { url } = await newcomer.start();
    const key = createAccount(newcomer);
    const { page, context, problems } = await openPage(browser, url);
    await signInByKey(page, url, key);

    // Suggestions first refuse: the traffic is known without them.
    store.refuses = (endpoint) => endpoint === 'hints';
    await page.fill('#address', String(hostileAppId));
    await page.click('button:has-text("Find")');
    await page.waitForURL(`${url}${list}`);
    await track(page, ['habit tracker', 'daily planner']);
    check((await waitFor(page, '.figure.partial')) !== null, 'without suggestions a traffic is partial');
    store.refuses = () => false;

    await hostileTexts(browser, { url, page, storageState: await context.storageState(), folder });
    await undo(page, url, store);
    await blocked(page, { url, store });
    problems.length = 0;
    const storageState = await context.storageState();
    const pages = { 'blocked overview': '/dashboard', 'blocked keywords': list };
    await lookAtPages(browser, url, { pages, storageState, folder });

    writeFileSync(clockFile, String(2 * dayMs));
    check(
      (await until(async () => {
        await page.goto(`${url}${list}`);
        return page.url().endsWith('/sign-in');
      })) !== null,
      'two days later the session has ended',
    );
    await signInByKey(page, url, key);
    await page.goto(`${url}${list}`);
    check(
      (await waitFor(page, '.figure.blocked .number')) !== null,
      `a rank of a blocked store keeps its day: ${await textOf(page, '.figure.blocked:has(.number)')}`,
    );
    await page.goto(`${url}/dashboard`);
    const visit = await textOf(page, 'main > p:not(.note)');
    check(/last visit/.test(visit), `the overview says what is new: ${visit}`);

    store.garbled.add('daily planner');
    store.refuses = () => false;
    // What has failed is tried again after a while.
    writeFileSync(clockFile, String(2 * dayMs + 3 * 3_600_000));
    const recovered = await until(async () => {
      await page.goto(`${url}${list}`);
      await noteStates(page);
      const stale = await page.locator('tr:has(bdi:text-is("daily planner")) .figure.stale').count();
      const fresh = await page.locator('tr:has(bdi:text-is("habit tracker")) td:nth-child(2) .known').count();
      return stale > 0 && fresh > 0;
    });
    check(recovered !== null, 'the store is read again; what it garbles stays stale, with its day');
    check(problems.length === 0, `no violation, no error, no foreign request: ${problems.join('; ')}`);
  } finally {
    await newcomer.stopAll();
    await stop();
  }
}

const textOf = async (page, selector) =>
  (await page
    .locator(selector)
    .first()
    .textContent({ timeout: 1000 })
    .catch(() => null)) ?? 'nothing';

/** Reads the page again until it shows this. */
const waitFor = (page, selector) =>
  until(async () => {
    await page.reload();
    await page.waitForTimeout(500);
    await noteStates(page);
    return (await page.locator(selector).count()) > 0;
  });

async function track(page, terms) {
  if (!(await page.locator('#terms').isVisible())) await page.click('summary:has-text("Add keywords")');
  await page.fill('#terms', terms.join('\n'));
  await page.click('button:has-text("Track them")');
  await page.waitForSelector('details li', { timeout: 60_000 });
}

async function hostileTexts(browser, { url, page, storageState, folder }) {
  await page.goto(`${url}${list}`);
  const href = await page.getAttribute('tbody th a', 'href');
  const pages = {
    'hostile overview': '/dashboard',
    'hostile app': '/dashboard/apps/1',
    'hostile keywords': list,
    'hostile keyword': href,
  };
  await lookAtPages(browser, url, { pages, storageState, folder });
  await page.goto(`${url}${href}`);
  const text = await page.textContent('main');
  check(text.includes(hostile.markup), 'markup in a title is shown as text');
  check((await page.locator('main img').count()) === 0, 'and makes no element');
  check(!['1', '2'].includes(await page.title()), 'and runs nothing');
  const isApart = await page.$$eval('main ol li', (rows) =>
    rows.every((row) => row.querySelector('bdi[dir=auto]') !== null),
  );
  check(isApart, 'a title that turns the direction turns only itself');
}

async function undo(page, url, store) {
  await page.goto(`${url}${list}`);
  await page.waitForSelector('tbody tr');
  const isScored = await waitFor(page, 'tbody:not(:has(.pending))');
  check(isScored !== null, 'the scores arrive');
  const countSearches = () => store.searches.filter((term) => term === 'daily planner').length;
  const before = countSearches();
  await page.click('button[aria-label="Remove daily planner"]');
  await page.click('.toasts button:has-text("Undo")');
  await page.waitForSelector('tr:has(bdi:text-is("daily planner")) .number');
  check(countSearches() === before, 'to undo a removal costs no call of the store');
}

async function blocked(page, { url, store }) {
  store.refuses = () => true;
  await page.goto(`${url}${list}`);
  await track(page, ['one more', 'and another']);
  const outcome = await page.textContent('details li.down');
  check(/refuse|not called|try again/i.test(outcome), `a keyword that cannot be read says why: ${outcome}`);
  const banner = await until(async () => {
    await page.goto(`${url}${list}`);
    const text = await textOf(page, '.note.warn');
    return /refused to be read since/.test(text) && text;
  });
  check(banner !== null, `a blocked store: ${banner}`);
  check(/The ranks on this page are from/.test(banner), 'it says of when the ranks are');
  check(/[Nn]ext try/.test(banner), 'and when it is tried again');
  await noteStates(page);
}
