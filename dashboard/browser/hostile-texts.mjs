// Texts of a store that try to be markup, to turn the direction of what is around them, or to be endless: on every page that shows them.
import { hostile, hostileAppId } from './fake-store.mjs';
import { changeData, check, lookAtPages, openPage } from './tools.mjs';

/** Pixels, with the room for an icon. */
const twoLines = 48;
const twelveLines = 244;

const storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' };

/**
 * @param page signed in; the account tracks the first hostile app with keywords, as app 1
 * @param storageState its cookies
 */
export async function hostileTexts(browser, { url, page, storageState, folder }) {
  await page.goto(`${url}/dashboard/apps/1/keywords`);
  const keyword = await page.getAttribute('tbody th a', 'href');
  for (const at of [1, 2])
    await post(page, '/applications', { app_id: String(hostileAppId + at), ...storefront });
  const { address } = await post(page, '/applications/1/share-links', { label: hostile.markup, days: 1 });
  await page.goto(`${url}/dashboard/charts`);
  await page.click('main > button.main');
  await page.waitForSelector('tbody tr');
  const pages = {
    'hostile overview': '/dashboard',
    'hostile app': '/dashboard/apps/1',
    'hostile keywords': '/dashboard/apps/1/keywords',
    'hostile keyword': keyword,
    'hostile charts': '/dashboard/charts',
    'hostile shared app': new URL(address).pathname,
  };
  for (const [at, name] of Object.keys(hostile).entries()) {
    pages[`hostile listing, ${name}`] = `/dashboard/apps/${at + 1}/listing`;
    pages[`hostile simulator, ${name}`] = `/dashboard/apps/${at + 1}/simulator`;
  }
  await lookAtPages(browser, url, { pages, storageState, folder });
  for (const [name, path] of Object.entries(pages)) await isHarmless(page, `${url}${path}`, name);

  const prepare = (one) => changeData(one, '**/dashboard/niches', hostileNiche);
  const niches = { 'hostile niches': '/dashboard/niches' };
  await lookAtPages(browser, url, { pages: niches, storageState, folder, prepare });
  const changed = await openPage(browser, url, { storageState });
  await prepare(changed.page);
  await isHarmless(changed.page, `${url}/dashboard/niches`, 'hostile niches');
  const heights = await changed.page.$$eval('.concept', (all) =>
    all.map((one) => one.getBoundingClientRect().height),
  );
  check(
    heights.length > 0 && heights.every((height) => height <= twelveLines),
    'the sentence of a cluster has twelve lines at most',
  );
  await changed.context.close();
}

/** Its texts are shown as they are, and do nothing. */
async function isHarmless(page, address, name) {
  await page.goto(address);
  await page.waitForSelector('h1');
  // What is closed is read, too.
  const text = await page.evaluate(
    () =>
      document.body.textContent + [...document.querySelectorAll('textarea')].map(({ value }) => value).join(),
  );
  check(
    Object.values(hostile).some((one) => text.includes(one)),
    `${name}: the texts are shown as they are`,
  );
  check((await page.locator('#page img:not(.icon img)').count()) === 0, `${name}: markup makes no element`);
  const cut = await page.$$eval('.cut', (all) =>
    all.map((one) => ({
      height: one.getBoundingClientRect().height,
      isWhole: one.title === one.querySelector('bdi').textContent,
    })),
  );
  check(
    cut.every(({ height, isWhole }) => height <= twoLines && isWhole),
    `${name}: ${cut.length} names in lists have two lines at most, and are whole in their titles`,
  );
  check(!['1', '2'].includes(await page.title()), `${name}: markup runs nothing`);
  const turned = await page.evaluate(() => {
    const walker = document.createTreeWalker(document.querySelector('#page'), NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
      const { data, parentElement } = walker.currentNode;
      const isApart =
        parentElement.closest('bdi, [dir=auto], textarea, option, title') !== null ||
        /\u2068[^\u2069]*\u202e[^\u2069]*\u2069/.test(data);
      if (data.includes('\u202e') && !isApart) found.push(data.slice(0, 60));
    }
    return found;
  });
  check(
    turned.length === 0,
    `${name}: a text that turns the direction turns only itself ${turned.join('; ')}`,
  );
}

/** Search terms have no such letters, so the data of the page is changed. */
function hostileNiche({ model }) {
  const [markup, rightToLeft, emoji] = Object.values(hostile);
  const figure = { state: 'known', value: 50 };
  const clusterOf = (name) => ({
    name,
    concept: name,
    intent: 'utility',
    opportunity: figure,
    keywords: [markup, rightToLeft, emoji].map((one) => ({ name: one, traffic: figure, difficulty: figure })),
  });
  model.asked = { topic: rightToLeft, ...storefront };
  model.analysis = {
    analyzedAt: '2026-11-25T09:00:00.000Z',
    keywords: figure,
    leftOut: figure,
    warnings: [],
    clusters: [markup, rightToLeft, emoji].map(clusterOf),
  };
  model.past = [markup, rightToLeft, emoji].map((topic) => ({
    id: topic,
    topic,
    ...storefront,
    clusters: figure,
    keywords: figure,
    best: figure,
    analyzedAt: null,
  }));
}

/** Calls the API as a page does. */
function post(page, path, body) {
  return page.evaluate(
    async ([address, content]) => {
      const headers = { 'content-type': 'application/json', 'x-shelfwise-page': '1' };
      const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(content) });
      const { data, error } = await answer.json();
      if (!answer.ok) throw new Error(error);
      return data;
    },
    [`/dashboard/api${path}`, body],
  );
}
