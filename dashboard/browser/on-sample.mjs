// Journeys on the sample: sign in, track, work with keywords by pointer and keyboard, print, refusals, and every page in its looks.
import { readFileSync } from 'node:fs';
import { createNewcomer } from '../../scripts/newcomer.mjs';
import { workByKeyboard } from './keyboard-on-work.mjs';
import { around, formatDay, formatNumber, has, isolated, isPseudo, says, texts } from './language.mjs';
import { manyRuns, otherVersion, workOnListing } from './listing-and-simulator.mjs';
import { workOnNichesChartsAndLinks } from './niches-charts-links.mjs';
import { compareWithRivals } from './rivals.mjs';
import {
  changeData,
  check,
  checkNarrowTables,
  demoKeyOf,
  largestPaint,
  lookAtPages,
  noteStates,
  openPage,
  signInByKey,
  signInLinkOf,
} from './tools.mjs';

const list = '/dashboard/apps/1/keywords';

export async function onSample(browser, { folder }) {
  const newcomer = createNewcomer({ SAMPLE_DAY: '2026-11-25' });
  try {
    const system = await newcomer.start();
    const { url } = system;
    const opened = await openPage(browser, url);
    const { page, context, problems } = opened;
    await signIn(opened, system);
    await trackKeywords(page);
    const keywordPath = await byKeyboard(page, url);
    await keepNotes(page, url, keywordPath);
    await bulk(page, url);
    await cancelJob(page, url);
    await removeRules(page, url);
    await comeTooSoon(page, url);
    await refusals(page, url, problems);
    await switchShortcutsOff(page, url);

    // The page reads itself again until they are there.
    await page.goto(`${url}${list}`);
    await page.waitForFunction(() => !document.querySelector('.figure.pending'), null, { timeout: 120_000 });
    check(true, 'the scores arrive');
    const runOn = await page.$$eval('td:has(> .figure > small) > small', (all) =>
      all
        .filter(({ previousSibling }) => previousSibling.textContent !== '; ')
        .map(({ parentElement }) => parentElement.textContent),
    );
    check(runOn.length === 0, `two notes of a number are separated ${runOn.join('; ')}`);
    await seeWhatFollows(page, url, keywordPath);
    const [listing, simulator] = await workOnListing({
      context,
      page,
      problems,
      url,
      key: demoKeyOf(newcomer),
    });
    const rivals = await compareWithRivals({ page, url });
    const storageState = await context.storageState();
    const [niche, chart] = await workOnNichesChartsAndLinks({
      browser,
      page,
      url,
      storageState,
      folder,
      listing,
    });
    await workByKeyboard(page, url);
    const stored = await page.evaluate(() => localStorage.length + sessionStorage.length);
    check(stored === 0, 'nothing is kept in the storage of the browser');
    check((await page.evaluate(() => document.cookie)) === '', 'no script reads the cookie');
    // The browser notes the answers 429: a script types faster than a person, and is told to wait.
    const unexpected = problems.filter((problem) => !problem.includes('429'));
    check(unexpected.length === 0, `no violation, no error, no foreign request: ${unexpected.join('; ')}`);

    const pages = {
      overview: '/dashboard',
      app: '/dashboard/apps/1',
      keywords: list,
      keyword: keywordPath,
      listing,
      simulator,
      rivals,
      niches: niche,
      charts: chart,
      alerts: '/dashboard/alerts',
      account: '/dashboard/account',
    };
    await lookAtPages(browser, url, { pages, storageState, folder });
    const tables = [
      ['/dashboard', texts.overview.caption],
      [list, texts.keywordList.caption],
      [rivals, texts.rivals.voice],
      [listing, texts.listing.wordsToAdd],
      [simulator, texts.simulator.terms],
      ['/dashboard/alerts', texts.alerts.rules],
      ['/dashboard/account', texts.account.usage],
    ];
    await checkNarrowTables(browser, url, { storageState, tables });
    await lookAtPages(browser, url, { pages: { 'sign in': '/dashboard/sign-in' }, folder });
    await manyKeywords(browser, url, { storageState, folder });
    await arrivals(browser, url, { storageState });
    await manyRuns(browser, url, { storageState, simulator });
    await otherVersion(browser, url, { storageState, simulator });
    await eightStates(browser, url, { storageState, folder });
    if (!isPseudo) await slowly(browser, url, { storageState, pages });
    await newKey(browser, url, demoKeyOf(newcomer), page);
  } finally {
    await newcomer.stopAll();
  }
}

async function signIn({ page, problems }, system) {
  const { url } = system;
  // A wrong key first: the message says so, and nothing is signed in.
  await page.goto(`${url}/dashboard`);
  await page.fill('#key', 'sw_live_wrong');
  await page.click('button[type=submit]');
  await page.waitForSelector('[role=alert]');
  check(page.url().endsWith('/dashboard/sign-in'), 'a wrong key starts no session');
  // The browser itself notes the answer 401.
  problems.length = 0;

  await page.goto(signInLinkOf(system));
  const goOn = `button.main${has(around(texts.signIn.continueAs)[0])}`;
  await page.waitForSelector(goOn);
  check(!page.url().includes('#'), 'the code is not left in the address');
  await page.click(goOn);
  await page.waitForSelector('.cards button');
  check((await page.textContent('.badge')) === texts.sampleCatalog, 'the sample says that it is fictional');
}

async function trackKeywords(page) {
  await page.click('.cards button >> nth=0');
  await page.waitForSelector('#filter');
  await page.click(`summary${has(texts.addKeywords.title)}`);
  const terms = Array.from({ length: 24 }, (_, at) => `habit tracker ${at}`);
  await page.fill('#terms', ['habit tracker', 'daily planner', 'mortgage calculator', ...terms].join('\n'));
  await page.click(`button${has(texts.addKeywords.submit)}`);
  await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 27, null, {
    timeout: 60_000,
  });
  check(true, '27 pasted keywords are tracked in a job');
  const { width, height } = page.viewportSize();
  await page.setViewportSize({ width: 1180, height });
  const name = page.locator('tbody th a:has(bdi:text-is("daily planner"))');
  const lines = await name.evaluate((link) => link.getClientRects().length);
  check(lines === 1, 'next to a rank that is said in words, a keyword of two words is on one line');
  await page.setViewportSize({ width, height });
  await noteStates(page);
  const rank = await page.textContent('tr:has(bdi:text-is("habit tracker")) .number');
  check(Number(rank) > 0, `a rank is seen: ${rank}`);
  const dropped = await page.$$eval('tbody th:has(.star)', (all) =>
    all
      .filter((one) => {
        const [star, name] = ['.star', 'a'].map((part) => one.querySelector(part).getBoundingClientRect());
        return name.top >= star.bottom;
      })
      .map(({ textContent }) => textContent),
  );
  check(dropped.length === 0, `the keywords begin on the line of their stars ${dropped.join('; ')}`);
  const row = page.locator('tr:has(bdi:text-is("habit tracker"))');
  await row.scrollIntoViewIfNeeded();
  await row.locator('svg.spark circle').waitFor();
  check(true, 'its ranks by day follow when it comes into view');
  await page.waitForFunction(() => document.querySelector('.icon.loaded img')?.naturalWidth > 0);
  check(true, 'the app has its icon, which comes through the gateway');
}

/** Five journeys by the keyboard alone. Returns the address of a keyword. */
async function byKeyboard(page, url) {
  const { keyboard } = page;

  await keyboard.press('/');
  await keyboard.type('daily');
  await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1);
  check(page.url().includes('q=daily'), 'the filter is in the address');
  await keyboard.press('Escape');
  await keyboard.press('j');
  await keyboard.press('f');
  await page.waitForSelector('button.star[aria-pressed=true]');
  check(true, '1. a favorite by the keyboard');
  await keyboard.press('Enter');
  await page.waitForURL(/\/keywords\/\d+\?q=daily$/);
  check((await page.textContent('h1')).includes('daily planner'), 'Enter opens the keyword');
  const { pathname } = new URL(page.url());

  for (const isFavorite of [false, true]) {
    await keyboard.press('f');
    await page.waitForSelector(`button[aria-pressed=${isFavorite}]${has(texts.keyword.favorite)}`);
  }
  check(true, 'f changes on its page whether it is a favorite');

  await keyboard.press('Control+k');
  await keyboard.type(texts.nav.account);
  await keyboard.press('Enter');
  await page.waitForURL(/account$/);
  await keyboard.press('g');
  await keyboard.press('k');
  await page.waitForURL(/keywords$/);
  check(true, '2. the palette, and g and a letter, lead to a page');

  // In the order of the list, from the highest rank: the favorites are not first there.
  await page.goto(`${url}${list}?sort=rank`);
  await page.waitForSelector('tbody tr');
  const names = await page.$$eval('tbody th a bdi', (all) => all.slice(0, 3).map((each) => each.textContent));
  await keyboard.press('j');
  await keyboard.press('Enter');
  await page.waitForURL(/\/keywords\/\d+\?sort=rank$/);
  for (const [key, name] of [
    [']', names[1]],
    [']', names[2]],
    ['[', names[1]],
  ]) {
    const left = page.url();
    await keyboard.press(key);
    await page.waitForURL(({ href }) => href !== left);
    await page.waitForFunction(
      (title) => document.querySelector('h1')?.textContent === title,
      texts.titles.keyword(isolated(name)),
    );
  }
  check(true, '3. the neighbors of a keyword, in the order of the list');
  await pressInARow(page, `${url}${list}`, texts.titles.keyword(isolated(names[2])));

  await keyboard.press('g');
  await keyboard.press('a');
  await page.waitForURL(/apps\/1$/);
  for (const [key, days] of [
    ['1', '1'],
    ['3', '30'],
    ['7', '7'],
  ]) {
    await keyboard.press(key);
    await page.waitForURL(new RegExp(`days=${days}#`));
    await page.waitForSelector(`a[href^="?days=${days}#"][aria-current=true]`);
  }
  check(true, '4. the periods of the movements');

  await keyboard.press('g');
  await keyboard.press('k');
  await page.waitForURL(/keywords$/);
  for (const key of ['j', 'x', 'j', 'x']) await keyboard.press(key);
  await page.waitForSelector(`[role=status]${has(texts.keywords.bulk.selected('2'))}`);
  const saved = page.waitForEvent('download');
  await keyboard.press('e');
  const file = await (await saved).path();
  const lines = readFileSync(file, 'utf8').trim().split('\r\n');
  check(lines.length === 28 && lines[0].startsWith('keyword,'), '5. selected, and exported as CSV');
  await keyboard.press('?');
  await page.waitForSelector('dialog[open] kbd:text-is("[, ]")');
  await keyboard.press('Escape');
  return pathname;
}

/** Keys that are pressed while the list is read are one way, to one page. They begin on the row before it. */
async function pressInARow(page, address, title) {
  let goOn;
  const isPressed = new Promise((resolve) => {
    goOn = resolve;
  });
  const opened = new Set();
  const note = (request) => {
    if (request.isNavigationRequest()) opened.add(request.url());
  };
  await page.route(address, async (route) => {
    await isPressed;
    await route.continue();
  });
  page.on('request', note);
  for (const key of ['[', ']', ']']) await page.keyboard.press(key);
  goOn();
  await page.waitForFunction((one) => document.querySelector('h1')?.textContent === one, title);
  check(opened.size === 1, `three keys in a row open one page (${[...opened]})`);
  page.off('request', note);
  await page.unroute(address);
}

/** A note is a mark in the charts of its app, and can be removed and brought back. */
async function keepNotes(page, url, keywordPath) {
  const note = '.timeline li:has-text("Ads began")';
  await page.goto(`${url}/dashboard/apps/1`);
  await page.waitForSelector('svg.bar:has(line)');
  const bars = await page.$$eval('svg.bar line', (lines) =>
    lines.map((line) => [getComputedStyle(line).stroke, getComputedStyle(line).strokeDasharray].join()),
  );
  check(
    new Set(bars).size === 2 && bars.at(-1) !== bars[0],
    `keywords without a rank have a bar of their own: ${[...new Set(bars)].join(' | ')}`,
  );
  await page.fill('#note-text', 'Ads began');
  await page.click(`button${has(texts.timeline.add)}`);
  await page.waitForSelector(note);
  await page.goto(`${url}${keywordPath}`);
  check((await page.locator('.chart .mark').count()) === 1, 'a note is a mark in the chart of a keyword');
  const change = await page.textContent('.card .more');
  check(
    says(change, texts.keyword.changeSince) && change.includes(texts.figure.unknown.no_earlier_day),
    `on the first day a rank has no change, which is said: ${change}`,
  );
  const wide = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 900 });
  await page.reload();
  await page.waitForSelector('.chart .mark');
  const { x } = await page.locator('.chart .mark').boundingBox();
  check(
    x >= 0 && x < 320,
    `a chart that is wider than its page begins at its newest day (${Math.round(x)} px)`,
  );
  await page.setViewportSize(wide);
  await page.goto(`${url}/dashboard/apps/1`);
  await page.click(`button[aria-label="${texts.timeline.removeOf('Ads began')}"]`);
  await page.waitForSelector(note, { state: 'detached' });
  await page.click(`.toasts button${has(texts.undo)}`);
  await page.waitForSelector(note);
  check((await page.locator(note).count()) === 1, 'a removed note comes back by undo, once');
  await page.route('**/notes', (route) => route.fulfill({ status: 503, body: '{}' }));
  await page.fill('#note-text', 'Ads ended');
  await page.click(`button${has(texts.timeline.add)}`);
  await page.waitForSelector('.note.error');
  check(
    (await page.inputValue('#note-text')) === 'Ads ended',
    'a note that was not written stays in its field',
  );
  await page.unroute('**/notes');
}

/** What comes with the scores: ten results of a keyword, its scores by day, and the keywords that bring most. */
async function seeWhatFollows(page, url, keywordPath) {
  await page.goto(`${url}${keywordPath}`);
  const results = page.locator('main ol.list li');
  const own = await page.locator('main ol.list li.own').count();
  check((await results.count()) >= 10, `a keyword has its first ten results: ${await results.count()}`);
  const isSaid = (await page.textContent('main')).includes(texts.keyword.ownRank);
  check(own === 1 || isSaid, 'with the row of the own app, or what is known of its rank');
  check(
    (await page.textContent('main')).includes(texts.keyword.scoreHistory.firstDay),
    'scores of one day are no line, which is said',
  );
  await page.goto(`${url}/dashboard/apps/1`);
  const top = page.locator(`section[aria-label="${texts.app.top.title}"] tbody th a`);
  check((await top.count()) > 0, `the app has top keywords, linked: ${await top.allInnerTexts()}`);
}

/** By the pointer: several keywords at once, and back. */
async function bulk(page, url) {
  await page.goto(`${url}${list}?q=planner`);
  await page.click(`button[aria-label="${texts.keywords.remove('daily planner')}"]`);
  await page.click(`.toasts button${has(texts.undo)}`);
  await page.waitForSelector('tr:has(bdi:text-is("daily planner")) .number');
  check(true, 'a removed keyword comes back');

  await page.goto(`${url}${list}?q=${encodeURIComponent('tracker 1')}`);
  await page.check(`label${has(around(texts.keywords.bulk.all)[0])}`);
  await page.click(`button${has(texts.keywords.bulk.mark)}`);
  await page.waitForSelector(`.toasts${has(texts.keywords.bulk.marked('11'))}`);
  await page.click(`button[aria-pressed=false]${has(texts.keywordList.filters.favorites.yes)}`);
  await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 11);
  check(page.url().includes('favorites=yes'), 'a chip filters, and is in the address');
  await page.click(`button${has(texts.keywords.bulk.remove)}`);
  await page.waitForSelector(`.toasts${has(texts.keywords.bulk.removed('11'))}`, { timeout: 60_000 });
  await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 0);
  await page.click(`.toasts button${has(texts.undo)}`);
  await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 11, null, {
    timeout: 60_000,
  });
  check(true, '11 keywords are favorites, removed, and back as favorites');
}

/** A rule that can be made again exactly comes back by undo; one that remembers what it has published is asked for first. */
async function removeRules(page, url) {
  await page.goto(`${url}/dashboard/alerts`);
  const rows = page.locator(`section[aria-label="${texts.alerts.rules}"] tbody tr`);
  await rows.first().waitFor();
  const all = await rows.count();
  const untilCount = (count) =>
    page.waitForFunction(
      ([label, expected]) =>
        document.querySelectorAll(`section[aria-label="${label}"] tbody tr`).length === expected,
      [texts.alerts.rules, count],
    );
  const removeOf = (kind) => `button[aria-label="${texts.alerts.removeOf(texts.alerts.kinds[kind])}"]`;
  const rowOf = (kind) => rows.filter({ has: page.locator(removeOf(kind)) });
  const before = await rowOf('rank_drop').innerText();
  await page.click(removeOf('rank_drop'));
  await untilCount(all - 1);
  await page.click(`.toasts button${has(texts.undo)}`);
  await untilCount(all);
  check(before === (await rowOf('rank_drop').innerText()), 'a deleted rule comes back by undo, as it was');

  // The page reads itself again, which may be one too many for the second.
  await page.waitForTimeout(1000);
  await page.selectOption('#kind', 'keyword_unread');
  await page.click(`button${has(texts.alerts.add)}`);
  await untilCount(all + 1);
  await page.click(removeOf('keyword_unread'));
  await page.waitForSelector(`dialog[open] p${has(texts.alerts.lost)}`);
  await page.click(`dialog[open] button${has(texts.confirm.keep)}`);
  check((await rows.count()) === all + 1, 'a rule that cannot be made again exactly is asked for first');
  await page.click(removeOf('keyword_unread'));
  await page.click(`dialog[open] button${has(texts.alerts.remove)}`);
  await untilCount(all);
}

/** Jobs that go on, made by any page: how far they are, and an end. Those of the sample are done too soon to be seen. */
async function cancelJob(page, url) {
  const words = texts.addKeywords.jobs;
  const job = { id: 7, app_id: 1, total: 1000, done: 11, failed: 1, eta: null, finished_at: null };
  let jobs = [job, { ...job, id: 9, app_id: 2 }];
  await page.route('**/dashboard/api/jobs?*', (route) => route.fulfill({ json: { data: jobs } }));
  await page.route('**/dashboard/api/jobs/*', (route) => {
    jobs = jobs.filter(({ id }) => !route.request().url().endsWith(`/${id}`));
    return route.fulfill({ json: { data: job } });
  });
  await page.goto(`${url}${list}`);
  const rows = page.locator(`section${has(words.title)} li`);
  await rows.nth(1).waitFor();
  const said = await rows.allTextContents();
  const isSaid = ['here', 'elsewhere'].every((name, at) =>
    said[at].includes(words[name]('12', formatNumber(1000))),
  );
  check(isSaid, `jobs that go on, and how far they are: ${said.join('; ')}`);
  await rows.first().locator('button').first().click();
  await page.click(`dialog[open] button${has(words.cancel)}`);
  await rows.nth(1).waitFor({ state: 'detached' });
  check(
    (await rows.first().textContent()).includes(words.elsewhere('12', formatNumber(1000))),
    'one is canceled',
  );
  await page.unroute('**/dashboard/api/jobs?*');
  await page.unroute('**/dashboard/api/jobs/*');
}

/** A page that comes too soon says so, and loads again once, when it may. */
async function comeTooSoon(page, url) {
  await page.goto(`${url}${list}`);
  const title = await page.textContent('h1');
  const statuses = [];
  const note = (answer) => {
    if (answer.request().isNavigationRequest()) statuses.push(answer.status());
  };
  page.on('response', note);
  const said = page.waitForFunction((wait) => {
    const text = document.querySelector('main')?.textContent;
    return text?.includes(wait) && text;
  }, texts.error.wait);
  // On a busy machine the window may be over before it is full.
  for (let tries = 0; tries < 20 && statuses.at(-1) !== 429; tries++) {
    statuses.length = 0;
    await page.evaluate(() => {
      const headers = { accept: 'application/json', 'x-shelfwise-page': '1' };
      return Promise.all(Array.from({ length: 12 }, () => fetch('/dashboard/sessions', { headers })));
    });
    await page.reload();
  }
  const text = await (await said).jsonValue();
  check(
    text.includes(texts.error.works.after_wait),
    `a page that comes too soon says that it takes a moment: ${text}`,
  );
  await page.waitForFunction((one) => document.querySelector('h1')?.textContent === one, title);
  check(statuses.join() === '429,200', `and loads again by itself, once: ${statuses.join()}`);
  page.off('response', note);
}

/** What a call that comes too soon says, and a session that has ended. */
async function refusals(page, url, problems) {
  await page.goto(`${url}${list}`);
  await page.waitForSelector('tbody tr');
  const body = JSON.stringify({ error: 'Too many calls.', code: 'RATE_LIMITED' });
  const headers = { 'Retry-After': '2', 'X-Request-Id': 'request-1', 'Content-Type': 'application/json' };
  await page.route('**/favorite', (route) => route.fulfill({ status: 429, headers, body }));
  const star = page.locator('button.star').last();
  await star.click();
  for (const seconds of ['2', '1'])
    await page.waitForSelector(`.note.error${has(texts.error.retryIn(seconds))}`);
  const refused = await page.textContent('.note.error');
  check(refused.includes('request-1'), '429: a countdown, and the request');
  check(refused.includes(texts.error.onlyThis), 'and what still works');
  check((await star.getAttribute('aria-pressed')) === 'false', 'what was refused is not shown as done');
  await page.unroute('**/favorite');
  // The browser itself notes the answer 429.
  problems.length = 0;
}

async function switchShortcutsOff(page, url) {
  const setTo = async (isOn) => {
    await page.click(`header button${has(texts.palette.keys)}`);
    const [answer] = await Promise.all([
      page.waitForResponse('**/dashboard/shortcuts'),
      page.setChecked('dialog[open] input[type=checkbox]', isOn),
    ]);
    await page.keyboard.press('Escape');
    return answer.status();
  };
  await page.goto(`${url}${list}`);
  check((await setTo(false)) === 200, 'the keys are switched off');
  await page.goto(`${url}${list}`);
  await page.waitForSelector('tbody tr');
  for (const key of ['j', 'x', '?']) await page.keyboard.press(key);
  const used = await page.$$eval('tr[aria-selected=true], dialog[open], tbody :checked', (all) => all.length);
  check(used === 0, 'no letter is a shortcut any more, on the next page either');
  await page.keyboard.press('Control+k');
  await page.waitForSelector('dialog[open] #place');
  await page.keyboard.press('Escape');
  await setTo(true);
  await page.keyboard.press('?');
  await page.waitForSelector('dialog[open] kbd');
  check(true, 'they are on again at once');
  await page.keyboard.press('Escape');
}

/** The list with 1,000 rows, made of those that are there. */
async function manyKeywords(browser, url, { storageState }) {
  const { page, context, problems } = await openPage(browser, url, { storageState });
  await changeData(page, `**${list}`, ({ model }) => {
    const [first] = model.rows;
    model.rows = Array.from({ length: 1000 }, (_, at) => ({
      ...first,
      id: String(at + 1),
      keyword: `keyword ${at}`,
      rank: { state: 'known', value: ((at * 37) % 100) + 1 },
    }));
  });
  const drawnIds = await drawRanks(page);
  await page.goto(`${url}${list}`);
  const drawn = () => page.locator('tbody tr').count();
  check((await drawn()) === 100, 'of 1,000 rows 100 are drawn');
  const all = formatNumber(1000);
  const saysCount = () => page.locator(`p[role=status]${has(texts.table.shown(all, all))}`).count();
  check((await saysCount()) === 1, 'the count of all rows is there');
  await page.waitForSelector('svg.spark');
  check(
    drawnIds.size > 0 && drawnIds.size <= 60,
    `of 1,000 rows only those in view read their ranks by day: ${drawnIds.size}`,
  );
  await page.locator(`button${has(texts.table.more)}`).scrollIntoViewIfNeeded();
  await page.waitForFunction(() => document.querySelectorAll('tbody tr').length >= 200);
  check((await saysCount()) === 1, 'more rows on the way down, and the count stays');
  const sortMs = await page.evaluate(async () => {
    const started = performance.now();
    document.querySelector('th:nth-child(2) button').click();
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return Math.round(performance.now() - started);
  });
  const ranks = await page.$$eval('tbody tr td:nth-child(2) .number', (all) =>
    all.slice(0, 30).map((each) => Number(each.textContent)),
  );
  check(
    ranks.every((rank, at) => at === 0 || rank >= ranks[at - 1]),
    'the 1,000 rows are sorted',
  );
  console.log(`a sort of 1,000 rows: ${sortMs} ms`);
  check(problems.length === 0, `1,000 rows without a problem: ${problems.join('; ')}`);
  // The page reads itself again while a figure is pending.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.close();
}

/** A score that is pending at first, and there at the next look: it is said to those who do not see it. */
async function arrivals(browser, url, { storageState }) {
  const { page, context, problems } = await openPage(browser, url, { storageState });
  let looks = 0;
  await changeData(page, `**${list}`, ({ model }) => {
    if (looks++ === 0) model.rows[0].traffic = { state: 'pending' };
  });
  await page.goto(`${url}${list}`);
  const said = `[role=status]${has(texts.keywordList.arrived('1'))}`;
  await page.waitForSelector(said, { state: 'attached', timeout: 30_000 });
  check((await page.locator('.figure.pending').count()) === 0, 'scores that arrive are announced');
  check(problems.length === 0, `without a problem: ${problems.join('; ')}`);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.close();
}

/** Answers what the small pictures read, for any keyword. Returns the ids of the keywords that were read. */
async function drawRanks(page) {
  const ids = new Set();
  const days = Array.from({ length: 28 }, (_, at) => `2026-11-${String(at + 1).padStart(2, '0')}`);
  const history = days.map((date, at) => ({ date, rank: at + 1 }));
  await page.route('**/ranks/history?*', (route) => {
    const read = new URL(route.request().url()).searchParams.get('keyword_ids').split(',').map(Number);
    for (const id of read) ids.add(id);
    const keywords = read.map((id) => ({ keyword_id: id, keyword: `keyword ${id}`, apps: [{ history }] }));
    const meta = { from: days[0], to: days.at(-1) };
    return route.fulfill({ json: { data: { app_id: 1, keywords }, meta } });
  });
  return ids;
}

/** Each state of a figure with its words, on a page whose data is changed: no system is in all of them at once. */
async function eightStates(browser, url, { storageState, folder }) {
  const day = '2026-11-20';
  const said = texts.figure;
  const figures = {
    known: { state: 'known', value: 3 },
    [said.pending]: { state: 'pending' },
    [said.notRanked('80')]: { state: 'not_ranked', depth: 80, day: null },
    [said.staleFrom(formatDay(day))]: { state: 'stale', value: 4, day },
    [said.partial]: { state: 'partial', value: 40 },
    [said.blockedSince(formatDay(day))]: { state: 'blocked', value: 5, day },
    [said.blocked]: { state: 'blocked', value: null, day: null },
    [said.unknown.too_little_read]: { state: 'unknown', reason: 'too_little_read' },
    [said.notApplicable]: { state: 'not_applicable' },
  };
  const change = ({ frame, model }) => {
    frame.troubles = [
      {
        store: 'ITUNES',
        blockedSince: '2026-11-25T09:00:00.000Z',
        nextTryAt: '2026-11-25T09:01:00.000Z',
      },
    ];
    frame.rankDays = { oldest: day, newest: '2026-11-24' };
    const [first] = model.rows;
    model.rows = Object.entries(figures).map(([keyword, rank], at) => ({
      ...first,
      id: String(at + 1),
      keyword,
      rank,
      traffic: rank.state === 'not_ranked' ? { state: 'pending' } : rank,
      kei: { state: 'unknown', reason: 'not_published' },
    }));
  };
  const prepare = (page) => changeData(page, `**${list}*`, change);
  const pages = { 'eight states': `${list}?states` };
  await lookAtPages(browser, url, { pages, storageState, folder, prepare });
  const { page, context } = await openPage(browser, url, { storageState });
  await prepare(page);
  await page.goto(`${url}${list}?states`);
  for (const words of Object.keys(figures).slice(1)) {
    const row = page.locator(`tr:has(th bdi:text-is("${words}")) td >> nth=0`);
    check((await row.textContent()).includes(words), `a rank that is “${words}” says so`);
  }
  const banner = await page.textContent('.note.warn');
  check(
    says(banner, texts.trouble.blocked, 2) &&
      banner.includes(texts.trouble.rankDays(formatDay(day), formatDay('2026-11-24'))) &&
      says(banner, texts.trouble.nextTry),
    `a blocked store: ${banner}`,
  );
  await context.close();
}

/** The times of a slow phone: 1.6 Mbit/s with 150 ms, a quarter of the processor. Figures, not judged. */
async function slowly(browser, url, { storageState, pages }) {
  for (const [name, path] of Object.entries(pages)) {
    const { page, context } = await openPage(browser, url, { storageState });
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 150,
      downloadThroughput: 200_000,
      uploadThroughput: 94_000,
    });
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await page.goto(`${url}${path}`);
    await page.waitForSelector('h1');
    console.log(
      `${name}, slow network and processor / 4: largest paint after ${await largestPaint(page)} ms`,
    );
    await context.close();
  }
}

/** A new key ends the other sessions, and is shown once. Last: the printed link and key are of no use after it. */
async function newKey(browser, url, key, page) {
  const { page: fresh, context } = await openPage(browser, url);
  await signInByKey(fresh, url, key);
  check(true, 'the key signs in, too');
  await fresh.goto(`${url}/dashboard/account`);
  const session = fresh.locator('main ul.list > li').first();
  const named = texts.account.browserOn(isolated('Chrome'), isolated('Linux'));
  check((await session.innerText()).startsWith(named), `a session is named by browser and system: ${named}`);
  const userAgent = session.locator('details bdi');
  const wasHidden = !(await userAgent.isVisible());
  await session.locator('summary').click();
  check(
    wasHidden && (await userAgent.textContent()).includes('Mozilla/5.0'),
    'its user agent is shown when one asks for it',
  );
  await fresh.fill('#start', key.slice(0, 12));
  await fresh.click(`button${has(texts.account.regenerate)}`);
  await fresh.waitForSelector(`.note${has(texts.account.keyOnce)}`);
  const made = await fresh.textContent('main code');
  check(made.startsWith('sw_live_') && made !== key, 'the new key is shown');
  await page.goto(`${url}/dashboard/account`);
  check(page.url().endsWith('/dashboard/sign-in'), 'the other session has ended');
  await fresh.reload();
  check(!(await fresh.content()).includes(made), 'this one stays, and the key is not shown again');
  await signInByKey(page, url, made);
  check(true, 'the new key signs in');
  await context.close();
}
