// Journeys on a store of their own: hostile texts, a store that refuses to be read for two days, and what it costs to undo a removal.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createNewcomer } from '../../scripts/newcomer.mjs';
import { until } from '../../scripts/until.mjs';
import { hostile, hostileAppId, startFakeStore } from './fake-store.mjs';
import { hostileTexts } from './hostile-texts.mjs';
import { formatNumber, has, says, texts } from './language.mjs';
import { check, createAccount, lookAtPages, noteStates, openPage, signInByKey } from './tools.mjs';

const shiftClock = fileURLToPath(new URL('../../experiments/faults/shift-clock.mjs', import.meta.url));
const dayMs = 86_400_000;
const list = '/dashboard/apps/1/keywords';

export async function onOwnStore(browser, { folder }) {
  const { store, settings, stop } = await startFakeStore();
  const newcomer = createNewcomer({
    ...settings,
    FAULTS_CLOCK_PORT: '0',
  });
  const clockFile = join(newcomer.environment.SHELFWISE_DATA_DIR, 'clock');
  const { environment } = newcomer;
  environment.NODE_OPTIONS = `${environment.NODE_OPTIONS ?? ''} --import ${shiftClock}`;
  environment.FAULTS_CLOCK_FILE = clockFile;
  try {
    const { url } = await newcomer.start();
    const key = createAccount(newcomer);
    const { page, context, problems } = await openPage(browser, url);
    await signInByKey(page, url, key);
    await withoutApp(browser, { url, page, storageState: await context.storageState(), folder });

    // Suggestions first refuse: the traffic is known without them.
    store.refuses = (endpoint) => endpoint === 'hints';
    await page.goto(`${url}/dashboard`);
    await page.fill('#address', String(hostileAppId));
    await page.click(`button${has(texts.trackApp.submit)}`);
    await page.waitForURL(`${url}${list}`);
    await track(page, ['habit tracker', 'daily planner']);
    check((await waitFor(page, '.figure.partial')) !== null, 'without suggestions a traffic is partial');
    await pendingListing(page, url);
    await unknownSubtitle(page, url);
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
    // What the page before was still reading was refused; the browser notes these answers 401.
    problems.length = 0;
    await signInByKey(page, url, key);
    await page.goto(`${url}${list}`);
    check(
      (await waitFor(page, '.figure.blocked .number')) !== null,
      `a rank of a blocked store keeps its day: ${await textOf(page, '.figure.blocked:has(.number)')}`,
    );
    await page.goto(`${url}/dashboard`);
    const visit = await textOf(page, 'main > p:not(.note)');
    check(says(visit, texts.overview.since), `the overview says what is new: ${visit}`);

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
  if (!(await page.locator('#terms').isVisible())) await page.click(`summary${has(texts.addKeywords.title)}`);
  await page.fill('#terms', terms.join('\n'));
  await page.click(`button${has(texts.addKeywords.submit)}`);
  await page.waitForSelector('details li', { timeout: 60_000 });
}

/** Before an app is tracked, each page says what to do, and those of an app lead to the first one. */
async function withoutApp(browser, { url, page, storageState, folder }) {
  const pages = {
    'first overview': '/dashboard',
    'first niches': '/dashboard/niches',
    'first charts': '/dashboard/charts',
    'first account': '/dashboard/account',
  };
  await lookAtPages(browser, url, { pages, storageState, folder });
  for (const path of Object.values(pages)) {
    await page.goto(`${url}${path}`);
    const way = page.locator(`nav a[href="/dashboard#address"]${has(texts.nav.track)}`);
    check(await way.isVisible(), `${path} without an app leads to the first one`);
  }
  await page.goto(`${url}/dashboard`);
  check(
    (await page.locator('main ol li').count()) === texts.overview.steps.length,
    'the overview has the first steps',
  );
  for (const part of ['', '/keywords', '/listing', '/simulator']) {
    const answer = await page.request.get(`${url}/dashboard/apps/1${part}`, {
      headers: { accept: 'text/html' },
    });
    check(answer.status() === 404, `/dashboard/apps/1${part} without an app is not found`);
  }
}

/** Without suggestions no word is read. What is known of the listing is shown all the same, and what is awaited. */
async function pendingListing(page, url) {
  await page.goto(`${url}/dashboard/apps/1/listing`);
  const words = texts.listing;
  check((await textOf(page, '.field .text')).includes(hostile.markup), 'the name is shown while it is read');
  const counter = await textOf(page, '.field p');
  check(
    counter.includes(formatNumber(hostile.markup.length)) &&
      counter.includes(words.tooMany(formatNumber(hostile.markup.length - 30))),
    `with its length, and by how much that is too long: ${counter}`,
  );
  const word = await textOf(page, '.word.pending');
  check(word.includes(words.status.pending), `its words are pending, in text and color: ${word}`);
  const note = await textOf(page, 'div.note.warn');
  check(
    note.includes(words.notes.pending) && says(note, texts.audit.awaited, 2),
    `what is awaited, and how far it is: ${note}`,
  );
  const main = await page.textContent('main');
  check(main.includes(words.adviceAwaited), 'the words to add are said to follow');
  await noteStates(page);
}

/** This store has no pages of apps, which alone show subtitles: not known is not the same as empty. */
async function unknownSubtitle(page, url) {
  const words = texts.simulator;
  const field = page.locator('section.pair:has(#draft-subtitle)');
  const looks = async () => ({
    hint: await page.getAttribute('#draft-subtitle', 'placeholder'),
    count: /\d/.test(await page.textContent('label[for=draft-subtitle]')),
    isUnknown: (await field.textContent()).includes(words.isUnknown),
  });
  await page.goto(`${url}/dashboard/apps/1/listing`);
  const listed = await textOf(page, '.field:has(h3:has-text("Subtitle"))');
  check(
    listed.includes(texts.listing.notRead) && !listed.includes(texts.listing.neverShown),
    `a subtitle that was not read is not said to be unpublished: ${listed}`,
  );
  await page.goto(`${url}/dashboard/apps/1/simulator`);
  await field.waitFor();
  const before = await looks();
  check(
    before.hint === words.draftUnknown && !before.count && before.isUnknown,
    `a text that is not known has no length, and says so: ${JSON.stringify(before)}`,
  );
  check(await field.locator(`button${has(words.copy)}`).isDisabled(), 'and cannot be copied');
  await page.fill('#draft-subtitle', 'Goals');
  await page.fill('#draft-subtitle', '');
  const cleared = await looks();
  check(
    !cleared.hint && cleared.count && !cleared.isUnknown,
    `cleared by hand it is empty: ${JSON.stringify(cleared)}`,
  );
  await field.locator(`button${has(words.useUnknown)}`).click();
  await page.waitForSelector(`[role=status]${has(words.notKept)}`);
}

async function undo(page, url, store) {
  await page.goto(`${url}${list}`);
  await page.waitForSelector('tbody tr');
  const isScored = await waitFor(page, 'tbody:not(:has(.pending))');
  check(isScored !== null, 'the scores arrive');
  const countSearches = () => store.searches.filter((term) => term === 'daily planner').length;
  const before = countSearches();
  await page.click(`button[aria-label="${texts.keywords.remove('daily planner')}"]`);
  await page.click(`.toasts button${has(texts.undo)}`);
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
    return says(text, texts.trouble.blocked, 2) && text;
  });
  check(banner !== null, `a blocked store: ${banner}`);
  check(says(banner, texts.trouble.rankDays, 2), 'it says of when the ranks are');
  const { nextTry, nextCall } = texts.trouble;
  check(says(banner, nextTry) || banner.includes(nextCall), 'and when it is tried again');
  await noteStates(page);
}
