// Journeys of the page of rivals, by pointer and by keyboard. The account tracks the first app of the sample with keywords.
import { around, has, texts } from './language.mjs';
import { check } from './tools.mjs';

const words = texts.rivals;
const path = '/dashboard/apps/1/rivals';
/** It ranks for the keywords that the journeys track. */
const rival = '9048598736';

const usedRequests = (page) =>
  page.evaluate(async () => {
    const headers = { accept: 'application/json', 'x-shelfwise-page': '1' };
    const answer = await fetch('/dashboard/api/account/usage', { headers });
    return (await answer.json()).data.usage.api_requests;
  });

/** @returns the address of the page */
export async function compareWithRivals({ page, url }) {
  await page.goto(`${url}${path}`);
  const charts = page.locator('main a[href^="/dashboard/charts"]');
  check(
    (await page.textContent('main')).includes(words.none) && (await charts.count()) === 1,
    'an app without competitors says where one is added',
  );
  check((await page.locator('#matrix, #gap, #spy').count()) === 0, 'and is compared with nothing');
  await addRival(page);

  await page.goto(`${url}${path}`);
  const before = await usedRequests(page);
  const matrix = page.locator('.matrix tbody tr');
  const rows = await matrix.count();
  check(rows === 27, `the matrix has a row of each keyword (${rows})`);
  const cells = await page.textContent('.matrix tr:has(bdi:text-is("habit tracker"))');
  check(cells.includes(words.best), `the best rank of a row is named in words: ${cells}`);
  await seesRivalOnPhone(page);
  const lost = await page.locator('.matrix tbody .mark').count();
  await page.click(`button.chip${has(words.lead.behind)}`);
  await page.waitForURL(/lead=behind/);
  const behind = await matrix.count();
  check(behind > 0 && behind < rows, `a filter shows where a competitor is best (${behind} of ${rows})`);
  check(lost === behind, `only these ranks are marked to the eye (${lost})`);
  await page.click(`.matrix th button${has(texts.keywordList.traffic)}`);
  await page.waitForURL(/sort=traffic/);
  await page.reload();
  check((await matrix.count()) === behind, 'the view is in the address');

  const shares = page.locator('#voice ~ section tbody tr:has(meter)');
  check((await shares.count()) > 1, 'the share of voice has a bar for each app');
  const drawn = await shares.evaluateAll((all) =>
    all.map((row) => {
      const { value, max } = row.querySelector('meter');
      return [row.querySelector('.n .number').textContent, String((100 * value) / max)];
    }),
  );
  check(
    drawn.every(([said, bar]) => Math.abs(Number(said) - Number(bar)) < 0.01),
    `each bar is as long as its number says: ${drawn.map((one) => one.join(' = ')).join(', ')}`,
  );
  const racing = page.locator('#race ~ .cards >> nth=0 >> .card');
  check((await racing.count()) === 2, 'on the first day, the race says the visibility of both apps');
  const dayOf = await page.locator('#race ~ .cards >> nth=0 >> dd small:last-child').allTextContents();
  check(dayOf.length === 2 && dayOf.every((one) => /\d/.test(one)), `with its day: ${dayOf.join(', ')}`);

  await page.fill('#own_min_rank', '2');
  await page.fill('#min_traffic', '0');
  await page.click(`button${has(words.show)}`);
  await page.waitForURL(/own_min_rank=2/);
  await page.waitForSelector(`#gap ~ [role=status]${has(words.pagesRead)}`);
  check(page.url().includes('min_traffic=0'), 'the limits of the gap are in the address');
  check((await usedRequests(page)) === before, 'nothing of this has spent an API request');

  await page.click(`button${has(words.spyOn)}`);
  const caption = `h3${has(around(words.spyOf)[0])}`;
  await page.waitForSelector(caption);
  check(
    (await usedRequests(page)) === before + 1,
    'what a competitor ranks for spends one, as the button says',
  );
  const terms = page.locator(`${caption} ~ section tbody tr`);
  check((await terms.count()) > 0, `its terms are listed (${await terms.count()})`);
  return path;
}

/** The third column is that of the first competitor. */
async function seesRivalOnPhone(page) {
  const wide = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 900 });
  const spare = await page.$eval('.matrix thead th:nth-child(3)', (head) => {
    const [column, region] = [head, head.closest('.scroll')].map((one) => one.getBoundingClientRect());
    return Math.floor(Math.min(column.left - region.left, region.right - column.right));
  });
  check(spare >= 0, `at 320 px a competitor is seen without scrolling (${spare} px to spare)`);
  await page.setViewportSize(wide);
}

async function addRival(page) {
  await page.evaluate(async (id) => {
    const body = { app_id: 1, competitor_app_id: id, store: 'ITUNES', country: 'US', lang: 'en-US' };
    const headers = { 'content-type': 'application/json', 'x-shelfwise-page': '1' };
    const sent = { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await fetch('/dashboard/api/competitors', sent);
    if (!answer.ok) throw new Error(await answer.text());
  }, rival);
}

/** By the keyboard alone: to the page, a period, a filter, an order, and the terms of a competitor. */
export async function compareByKeyboard({ page, url, tabTo, goTo }) {
  const { keyboard } = page;
  await page.goto(`${url}/dashboard/apps/1`);
  await page.waitForSelector('h1');
  await goTo('r', /rivals$/);
  await keyboard.press('/');
  await keyboard.type('daily');
  await page.waitForFunction(() => document.querySelectorAll('.matrix tbody tr').length === 1);
  await keyboard.press('Escape');
  await keyboard.press('1');
  await page.waitForURL(/days=1/);
  await page.waitForSelector('a[aria-current=true][href*="days=1"]');
  await tabTo('.matrix th button', texts.keywordList.difficulty);
  await keyboard.press('Enter');
  await page.waitForURL(/sort=difficulty/);
  await tabTo('#spied');
  await tabTo('button', words.spyOn);
  await keyboard.press('Enter');
  await page.waitForSelector(`h3${has(around(words.spyOf)[0])}`);
  check(true, '6. ranks of competitors are filtered and ordered, and the terms of one are read');
}
