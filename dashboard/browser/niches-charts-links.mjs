// Journeys of the pages of niches and charts, of a link that shows one app, and of paper. The account tracks the first app of the sample
// with keywords.
import { checkPrints } from './print.mjs';
import { check, lookAtPages, openPage } from './tools.mjs';

/**
 * @param page signed in; `storageState` its cookies
 * @param listing the address of a page that is printed, too
 * @returns the addresses of a niche and of a chart
 */
export async function workOnNichesChartsAndLinks({ browser, page, url, storageState, folder, listing }) {
  await page.goto(`${url}/dashboard/niches`);
  await page.fill('#topic', 'habit tracker');
  await page.click('main button[type=submit]');
  await page.waitForSelector('[role=status] strong');
  check(page.url().includes('topic=habit+tracker'), 'the address names the topic while it is analyzed');
  const niche = page.url();
  // Left, and come back to.
  await page.goto(`${url}/dashboard`);
  await page.goto(niche);
  await page.waitForSelector('article.cluster', { timeout: 180_000 });
  check(true, 'an analysis that was left is found again');
  await page.click('article.cluster >> nth=0 >> input[type=checkbox] >> nth=0');
  await page.click('article.cluster >> nth=0 >> .actions button >> nth=1');
  await page.waitForSelector('article.cluster .outcomes li');
  check(true, 'a keyword of a cluster is tracked');

  await page.goto(`${url}/dashboard/charts?store=ITUNES&country=US&category=OVERALL&collection=paid`);
  await page.click('main button.main:has-text("one API request")');
  await page.waitForSelector('tbody tr');
  await page.click('button[aria-label^="Add "] >> nth=0');
  await page.waitForSelector('.mark.rival');
  check(true, 'an app of a chart is added as a competitor');
  const chart = page.url();

  await page.goto(`${url}/dashboard/apps/1`);
  await page.click('summary:has-text("Links that show this app")');
  await page.fill('#link-label', 'For the agency');
  await page.click('button:has-text("Make a link")');
  await page.waitForSelector('details pre');
  const { pathname } = new URL(await page.textContent('details pre'));
  const stranger = await openPage(browser, url);
  await stranger.page.goto(`${url}${pathname}`);
  await stranger.page.waitForSelector('tbody tr:visible');
  check((await stranger.page.locator('a[href], form').count()) === 0, 'a shared page leads nowhere');
  check((await stranger.context.cookies()).length === 0, 'a shared page sets no cookie');
  await lookAtPages(browser, url, { pages: { 'shared app': pathname }, folder });
  check(stranger.problems.length === 0, `a shared page has no problem: ${stranger.problems.join('; ')}`);

  await checkPrints({
    browser,
    storageState,
    url,
    folder,
    pages: [
      ['/dashboard', 'Overview', 'ASO Health'],
      ['/dashboard/apps/1', 'Visibility', 'What to improve'],
      ['/dashboard/apps/1/keywords', 'habit tracker', 'Difficulty', 'KEI'],
      [listing, 'earning'],
      [new URL(niche).pathname + new URL(niche).search, 'habit tracker', 'Opportunity'],
      [new URL(chart).pathname + new URL(chart).search, 'Top charts', 'competitor'],
      ['/dashboard/account', 'Usage'],
      [pathname, 'habit tracker', 'Visibility'],
    ],
  });

  await page.click('button[aria-label^="End the link"]');
  await page.waitForSelector('button[aria-label^="End the link"]', { state: 'detached' });
  const ended = await stranger.page.goto(`${url}${pathname}`);
  check(ended.status() === 404, 'a link that was ended is not found');
  await stranger.context.close();
  return [niche, chart].map((address) => address.slice(url.length));
}
