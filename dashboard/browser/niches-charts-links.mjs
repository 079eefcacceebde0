// Journeys of the pages of niches and charts, of a link that shows one app, and of paper. The account tracks the first app of the sample
// with keywords.
import { formatNumber, has, says, texts } from './language.mjs';
import { checkPrints } from './print.mjs';
import { changeData, check, lookAtPages, openPage } from './tools.mjs';

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
  check(
    (await page.textContent('main')).includes(texts.niches.legend),
    'what opportunity is made of is said',
  );
  const marked = page.locator('article.cluster tr:has(.tracked)');
  await marked.first().waitFor();
  check(
    (await marked.locator('input').count()) === 0 &&
      (await marked.first().textContent()).includes('habit tracker'),
    'what is tracked already is marked, and not chosen again',
  );
  await page.click('article.cluster >> nth=0 >> input[type=checkbox] >> nth=0');
  await page.click('article.cluster >> nth=0 >> .actions button >> nth=1');
  await page.waitForSelector('article.cluster .outcomes li');
  check(true, 'a keyword of a cluster is tracked');

  await page.goto(`${url}/dashboard/charts?store=ITUNES&country=US&category=OVERALL&collection=paid`);
  await page.click(`main button.main${has(texts.charts.read)}`);
  await page.waitForSelector('tbody tr');
  await page.click(`button${has(texts.charts.add)} >> nth=0`);
  await page.waitForSelector('.mark.rival');
  check(true, 'an app of a chart is added as a competitor');
  const chart = page.url();

  await page.goto(`${url}/dashboard/apps/1`);
  await page.click(`summary${has(texts.shareLinks.title)}`);
  await page.fill('#link-label', 'For the agency');
  await page.click(`button${has(texts.shareLinks.submit)}`);
  await page.waitForSelector('details pre');
  const { pathname } = new URL(await page.textContent('details pre'));
  const stranger = await openPage(browser, url);
  await stranger.page.goto(`${url}${pathname}`);
  await stranger.page.waitForSelector('tbody tr:visible');
  const about = await stranger.page.textContent('main p.muted');
  check(
    (await stranger.page.textContent('main .badge')) === texts.sampleCatalog &&
      says(about, texts.sharedApp.lastRead, 2),
    `a shared page says that the sample is fictional, who read it and when: ${about}`,
  );
  check((await stranger.page.locator('a[href], form').count()) === 0, 'a shared page leads nowhere');
  check((await stranger.context.cookies()).length === 0, 'a shared page sets no cookie');
  await lookAtPages(browser, url, { pages: { 'shared app': pathname }, folder });
  await manyKeywords(stranger.page, `${url}${pathname}`);
  check(stranger.problems.length === 0, `a shared page has no problem: ${stranger.problems.join('; ')}`);

  await checkPrints({
    browser,
    storageState,
    url,
    folder,
    pages: [
      ['/dashboard', texts.nav.overview, texts.overview.health, texts.overview.tiers[2]],
      ['/dashboard/apps/1', texts.app.visibility, texts.app.flags],
      ['/dashboard/apps/1/keywords', 'habit tracker', texts.keywordList.difficulty, texts.keywordList.kei],
      [listing, texts.listing.status.earning],
      ['/dashboard/apps/1/rivals', 'habit tracker', texts.rivals.voice],
      [niche.slice(url.length), 'habit tracker', texts.niches.opportunity],
      [chart.slice(url.length), texts.nav.charts, texts.charts.marks.rival],
      ['/dashboard/account', texts.account.usage],
      [pathname, 'habit tracker', texts.app.visibility],
    ],
  });

  const end = `button[aria-label="${texts.shareLinks.endOf('For the agency')}"]`;
  await page.click(end);
  await page.keyboard.press('Escape');
  check((await page.locator(end).count()) === 1, 'a link is not ended before it is said what is lost');
  await page.click(end);
  await page.waitForSelector(`dialog[open] p${has(texts.shareLinks.lost)}`);
  await page.click(`dialog[open] button${has(texts.shareLinks.end)}`);
  await page.waitForSelector(end, { state: 'detached' });
  const ended = await stranger.page.goto(`${url}${pathname}`);
  check(ended.status() === 404, 'a link that was ended is not found');
  await stranger.context.close();
  return [niche, chart].map((address) => address.slice(url.length));
}

/** A shared page of 1,000 keywords: their data is changed, because reading so many takes minutes. */
async function manyKeywords(page, address) {
  await changeData(page, address, ({ model: { ranks } }) => {
    const [first] = ranks.rows;
    ranks.rows = Array.from({ length: 1000 }, (_, at) => ({ ...first, keyword: `keyword ${at}` }));
  });
  await page.goto(address);
  const rows = page.locator('main tbody tr:has(bdi)');
  check((await rows.count()) === 100, 'of 1,000 shared keywords 100 are drawn');
  const count = texts.table.shown(formatNumber(100), formatNumber(1000));
  check(await page.locator(`p${has(count)}`).isVisible(), 'how many there are is said');
  await page.locator(`button${has(texts.table.more)}`).scrollIntoViewIfNeeded();
  await page.waitForFunction(() => document.querySelectorAll('main tbody tr:has(bdi)').length >= 200);
  await page.unroute(address);
}
