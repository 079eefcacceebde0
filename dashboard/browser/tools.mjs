// What the journeys share: pages that note what they should not do, checks, axe, times and pictures.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isPseudo } from './language.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Debian's chromium; undefined where there is none. */
export const chromiumPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) =>
  existsSync(path),
);

export const failures = [];

export function check(isTrue, expectation) {
  console.log(`${isTrue ? 'ok' : 'FAILED'}: ${expectation}`);
  if (!isTrue) failures.push(expectation);
}

/** The states of figures that were seen on any page. */
export const seenStates = new Set();

export async function noteStates(page) {
  const states = await page.$$eval('.figure', (figures) => figures.map(({ classList }) => classList[1]));
  for (const state of states) if (state) seenStates.add(state);
}

/** An account opens ten pages a second: one that comes too soon loads again by itself, as it does for a person. */
function patient(page, open) {
  return async (...sent) => {
    for (;;) {
      const answer = await open(...sent);
      await page.waitForFunction(() => performance.getEntriesByType('navigation')[0]?.responseStatus !== 429);
      if (answer?.status() !== 429) return answer;
    }
  };
}

/** A call is repeated. */
function patientGet(page, get) {
  return async (...sent) => {
    for (;;) {
      const answer = await get(...sent);
      if (answer.status() !== 429) return answer;
      await page.waitForTimeout(1000);
    }
  };
}

/** The same for a call of a page, on a busy machine ten can come at once. */
async function patientCall(route) {
  for (;;) {
    // A connection that was kept may be closed at this moment; a browser repeats the call, too.
    const response = await route.fetch({ maxRetries: 3, timeout: 60_000 }).catch(() => null);
    // The page may be closed meanwhile. Without an end the call would wait for ever.
    if (response === null) return route.abort().catch(() => {});
    if (response.status() !== 429) return route.fulfill({ response }).catch(() => {});
    await new Promise((resolve) => {
      setTimeout(resolve, 1000);
    });
  }
}

/** A page that notes what it should not do. `url`: of the system; requests of other hosts are problems. */
export async function openPage(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  page.goto = patient(page, page.goto.bind(page));
  page.waitForURL = patient(page, page.waitForURL.bind(page));
  page.request.get = patientGet(page, page.request.get.bind(page.request));
  await context.route('**/dashboard/api/**', patientCall);
  const problems = [];
  page.on('console', (message) => {
    const isTooSoon = message.text().includes('429');
    if (['error', 'warning'].includes(message.type()) && !isTooSoon) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !/^(data|blob):/.test(request.url()))
      problems.push(`foreign request: ${request.url()}`);
  });
  return { context, page, problems };
}

/** The link that the start prints. */
export const signInLinkOf = ({ output }) => output.match(/http\S+\/dashboard\/sign-in#\S+/)?.[0];

/** The key of the demo account. */
export const demoKeyOf = ({ environment }) =>
  readFileSync(join(environment.SHELFWISE_DATA_DIR, 'demo-key'), 'utf8').trim();

/** Makes an account, which only the sample has from the start, and returns its key. */
export function createAccount({ environment }) {
  const create = ['run', '--silent', 'account', '--', 'create', '--email', 'ann@example.com', '--json'];
  const made = execFileSync('npm', [...create, '--plan', 'unlimited'], {
    cwd: root,
    env: environment,
    encoding: 'utf8',
  });
  return JSON.parse(made).key;
}

export async function signInByKey(page, url, key) {
  await page.goto(`${url}/dashboard/sign-in`);
  await page.fill('#key', key);
  await page.press('#key', 'Enter');
  await page.waitForURL(`${url}/dashboard`);
}

/** Changes the data of the pages with this address before the browser gets them, also when a page reads itself again. */
export function changeData(page, address, change) {
  return page.route(address, async (route) => {
    // The page may be closed meanwhile: it reads itself again while something is pending.
    const response = await route.fetch().catch(() => null);
    const text = await response?.text().catch(() => null);
    if (typeof text !== 'string') return;
    const isJson = response.headers()['content-type'].startsWith('application/json');
    const json = isJson ? text : text.match(/id="data">([^<]*)</)[1];
    const data = JSON.parse(json);
    change(data);
    const changed = JSON.stringify(data).replaceAll('<', '\\u003c');
    await route.fulfill({ response, body: text.replace(json, () => changed) });
  });
}

/** What axe finds on a page. Its script is run by the debugger, because the page allows none. */
async function findWithAxe(page) {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const runOnly = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const { violations } = await axe.run(document, { runOnly });
    return violations.map(({ id, nodes }) => `${id} (${nodes.length}): ${nodes[0].target}`);
  });
}

/**
 * What a page in the pseudo-language says in Latin letters outside of names and of what the API says: it is not in the table of
 * texts, or not marked as what it is.
 */
function findPlainTexts(page) {
  return page.evaluate(() => {
    const apart = 'bdi, [lang]:not(html), code, pre, kbd, textarea, script, noscript';
    const names = new Set(
      [...document.querySelectorAll('bdi, [lang]:not(html)')].map((one) => one.textContent),
    );
    const isPlain = (text) =>
      /[a-z]{2}/i.test(text.replace(/\u2068[^\u2069]*\u2069/g, '')) &&
      !/\p{Script=Hebrew}/u.test(text) &&
      !names.has(text.trim());
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { data, parentElement } = walker.currentNode;
      if (parentElement.closest(apart) === null && isPlain(data)) found.push(data.trim());
    }
    for (const element of document.querySelectorAll('#page *'))
      for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
        if (isPlain(element.getAttribute(name) ?? '')) found.push(`${name}: ${element.getAttribute(name)}`);
    return [...new Set(found)];
  });
}

/** In ms from the start of the navigation. */
export function largestPaint(page) {
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        new PerformanceObserver((list) => resolve(Math.round(list.getEntries().at(-1).startTime))).observe({
          type: 'largest-contentful-paint',
          buffered: true,
        });
      }),
  );
}

/** In a language for tests each theme and each width is seen once. */
const looks = ['light', 'dark'].flatMap((colorScheme) =>
  [1280, 320]
    .filter((width) => !isPseudo || (width === 320) === (colorScheme === 'light'))
    .map((width) => ({ colorScheme, viewport: { width, height: 900 } })),
);

/** Tables whose numbers a narrow page shows without scrolling. `tables`: the address of a page, and the label of its region. */
export async function checkNarrowTables(browser, url, { storageState, tables }) {
  const { page, context } = await openPage(browser, url, {
    storageState,
    viewport: { width: 320, height: 900 },
  });
  for (const [path, label] of tables) {
    await page.goto(`${url}${path}`);
    const region = page.locator(`.scroll[aria-label=${JSON.stringify(label)}]`);
    await region.waitFor();
    const hidden = await region.evaluate((one) => one.scrollWidth - one.clientWidth);
    check(hidden <= 1, `${path}: at 320 px all of “${label}” is seen (${hidden} px are not)`);
  }
  await context.close();
}

/** Numbers that the edge of a region cuts, where nothing says that there is more. Edges are marked some time after the first picture. */
async function findCutNumbers(page) {
  for (let tries = 20; ; tries--) {
    const cut = await findUnmarked(page);
    if (cut.length === 0 || tries === 0) return cut;
    await page.waitForTimeout(100);
  }
}

function findUnmarked(page) {
  return page.evaluate(() => {
    return [...document.querySelectorAll('.scroll')].flatMap((region) => {
      const { left, right } = region.getBoundingClientRect();
      // A chart begins at its newest day: it scrolls from the other side.
      const edges = getComputedStyle(region).direction === 'rtl' ? ['after', 'before'] : ['before', 'after'];
      const [atLeft, atRight] = edges.map((edge) => region.classList.contains(edge));
      return [...region.querySelectorAll('.number')]
        .filter((one) => {
          // What a closed detail hides has a box, too.
          if (!one.checkVisibility()) return false;
          const box = one.getBoundingClientRect();
          return box.width > 0 && ((!atLeft && box.left < left - 1) || (!atRight && box.right > right + 1));
        })
        .map(({ textContent }) => textContent);
    });
  });
}

/**
 * Looks at pages in two themes and two widths: no sideways scroll, nothing that axe finds, no problem. Keeps pictures in `folder`.
 * @param pages their addresses by name
 * @param storageState of a signed-in browser
 * @param prepare called with each new page, to change its data: its states do not count as seen
 */
export async function lookAtPages(browser, url, { pages, storageState, folder, prepare }) {
  const problems = [];
  for (const look of looks) {
    const opened = await openPage(browser, url, { ...look, storageState });
    await prepare?.(opened.page);
    for (const [name, path] of Object.entries(pages)) {
      const title = `${name} ${look.colorScheme} ${look.viewport.width}`;
      await opened.page.goto(`${url}${path}`);
      await opened.page.waitForSelector('h1');
      if (!prepare) await noteStates(opened.page);
      const isWide = await opened.page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      check(!isWide, `${title}: no sideways scroll`);
      const cut = await findCutNumbers(opened.page);
      check(cut.length === 0, `${title}: where numbers are cut, the edge says so: ${cut.join(', ')}`);
      if (isPseudo) {
        const plain = await findPlainTexts(opened.page);
        check(plain.length === 0, `${title}: all texts are of the table, or marked: ${plain.join('; ')}`);
      }
      const found = await findWithAxe(opened.page);
      check(found.length === 0, `${title}: axe finds ${found.length === 0 ? 'nothing' : found.join('; ')}`);
      if (look === looks[0])
        console.log(`${title}: largest paint after ${await largestPaint(opened.page)} ms`);
      if (folder) {
        mkdirSync(folder, { recursive: true });
        const file = `${title.replaceAll(/[^\w]+/g, '-')}.png`;
        await opened.page.screenshot({ path: join(folder, file), fullPage: true });
      }
    }
    problems.push(...opened.problems);
    await opened.context.close();
  }
  check(problems.length === 0, `no violation, no error, no foreign request: ${problems.join('; ')}`);
}
