#!/usr/bin/env node
// Opens the dashboard of a new npm start in a real browser (Debian's chromium): journeys with pointer and keyboard, every page in two
// themes and two widths with axe, violations of the content security policy, requests to others, what is stored, and times.
//   node dashboard/browser/main.mjs [--pictures DIR]
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { createNewcomer } from '../../scripts/newcomer.mjs';
import { until } from '../../scripts/until.mjs';

const { values } = parseArgs({ options: { pictures: { type: 'string' } } });
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path));
if (!executablePath) {
  console.error('there is no chromium (Debian: apt-get install chromium)');
  process.exit(2);
}
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const { start, stopAll } = createNewcomer({ SAMPLE_DAY: '2026-11-25' });
const failures = [];

function check(isTrue, expectation) {
  console.log(`${isTrue ? 'ok' : 'FAILED'}: ${expectation}`);
  if (!isTrue) failures.push(expectation);
}

/** A page that notes what it should not do. */
async function openPage(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const problems = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:'))
      problems.push(`foreign request: ${request.url()}`);
  });
  return { context, page, problems };
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

/** In ms from the start of the navigation. */
function largestPaint(page) {
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

const system = await start();
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  const [link] = system.output.match(/http\S+\/dashboard\/sign-in#\S+/) ?? [];
  const { context, page, problems } = await openPage(browser, system.url);

  // A wrong key first: the message says so, and nothing is signed in.
  await page.goto(`${system.url}/dashboard`);
  await page.fill('#key', 'sw_live_wrong');
  await page.click('button[type=submit]');
  await page.waitForSelector('[role=alert]');
  check(page.url().endsWith('/dashboard/sign-in'), 'a wrong key signs nobody in');
  // The browser itself notes the answer 401.
  problems.length = 0;

  await page.goto(link);
  await page.waitForSelector('button.main:has-text("Continue as")');
  check(!page.url().includes('#'), 'the code is not left in the address');
  await page.click('button.main:has-text("Continue as")');
  await page.waitForSelector('.cards button');
  check((await page.textContent('.badge')).includes('fictional'), 'the sample says that it is fictional');

  await page.click('.cards button >> nth=0');
  await page.waitForSelector('#filter');
  await page.click('summary:has-text("Add keywords")');
  const terms = Array.from({ length: 25 }, (_, at) => `habit tracker ${at}`);
  await page.fill('#terms', ['habit tracker', 'daily planner', ...terms].join('\n'));
  await page.click('button:has-text("Track them")');
  await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 27, null, {
    timeout: 60_000,
  });
  check(true, '27 pasted keywords are tracked in two calls');
  const rank = await page.textContent('tr:has(bdi:text-is("habit tracker")) .number');
  check(Number(rank) > 0, `a rank is seen: ${rank}`);

  // By the keyboard alone.
  await page.keyboard.press('/');
  await page.keyboard.type('daily');
  await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1);
  check(page.url().includes('q=daily'), 'the filter is in the address');
  await page.keyboard.press('Tab');
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('j');
  await page.keyboard.press('f');
  await page.waitForSelector('button.star[aria-pressed=true]');
  check(true, 'a favorite by the keyboard');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/keywords\/\d+$/);
  check((await page.textContent('h1')).includes('daily planner'), 'Enter opens the keyword');
  const keywordPath = new URL(page.url()).pathname;
  await page.keyboard.press('Control+k');
  await page.keyboard.type('account');
  await page.keyboard.press('Enter');
  await page.waitForURL(/account$/);
  check(true, 'the palette leads to a page');
  await page.keyboard.press('g');
  await page.keyboard.press('k');
  await page.waitForURL(/keywords$/);
  check(true, 'g and a letter lead to a page');

  // Removed, and brought back.
  await page.click('button[aria-label="Remove daily planner"]');
  await page.click('.toasts button:has-text("Undo")');
  await page.waitForSelector('tr:has(bdi:text-is("daily planner")) .number');
  check(true, 'a removed keyword comes back');

  const scored = await until(async () => {
    await page.reload();
    return (await page.locator('.figure.pending').count()) === 0;
  });
  check(scored !== null, 'the scores arrive');

  const pages = [
    '/dashboard',
    '/dashboard/apps/1',
    '/dashboard/apps/1/keywords',
    keywordPath,
    '/dashboard/account',
  ];
  const state = await context.storageState();
  const stored = await page.evaluate(() => localStorage.length + sessionStorage.length);
  check(stored === 0, 'nothing is kept in the storage of the browser');
  check((await page.evaluate(() => document.cookie)) === '', 'no script reads the cookie');
  for (const colorScheme of ['light', 'dark'])
    for (const width of [1280, 320]) {
      const opened = await openPage(browser, system.url, {
        storageState: state,
        colorScheme,
        viewport: { width, height: 900 },
      });
      for (const path of pages) {
        await opened.page.goto(`${system.url}${path}`);
        await opened.page.waitForSelector('h1');
        const name = `${path === keywordPath ? '/dashboard/keyword' : path} ${colorScheme} ${width}`;
        const wide = await opened.page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
        check(!wide, `${name}: no sideways scroll`);
        const found = await findWithAxe(opened.page);
        check(found.length === 0, `${name}: axe finds ${found.length === 0 ? 'nothing' : found.join('; ')}`);
        if (colorScheme === 'light' && width === 1280)
          console.log(`${name}: largest paint after ${await largestPaint(opened.page)} ms`);
        if (values.pictures) {
          mkdirSync(values.pictures, { recursive: true });
          const file = `${name.replaceAll(/[^\w]+/g, '-').replace(/^-/, '')}.png`;
          await opened.page.screenshot({ path: join(values.pictures, file), fullPage: true });
        }
      }
      problems.push(...opened.problems);
      await opened.context.close();
    }
  check(problems.length === 0, `no violation, no error, no foreign request: ${problems.join('; ')}`);
} finally {
  await browser.close();
  await stopAll();
}
if (failures.length > 0) {
  console.log(`${failures.length} failed`);
  process.exitCode = 1;
}
