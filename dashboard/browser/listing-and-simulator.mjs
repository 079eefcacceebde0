// Journeys on the pages on which a listing is worked on: from what is wrong with it to a better draft.
import { until } from '../../scripts/until.mjs';
import { around, formatNumber, formatTime, has, texts } from './language.mjs';
import { changeData, check, openPage } from './tools.mjs';

/** A first score of an app reads its words one after another. */
const scoreMs = 60_000;

/**
 * @param problems what the page has noted so far
 * @param key the account's key, to sign in again
 * @returns the addresses of the pages, with what they show at most
 */
export async function workOnListing({ context, page, problems, url, key }) {
  const listing = '/dashboard/apps/1/listing';
  const simulator = '/dashboard/apps/1/simulator';
  const words = texts.simulator;
  const draftOf = (field) => page.inputValue(`#draft-${field}`);
  const [kept] = around(words.kept);
  const isKept = () =>
    page.waitForFunction(
      (start) =>
        [...document.querySelectorAll('[role=status]')].some(({ textContent }) =>
          textContent.startsWith(start),
        ),
      kept,
    );

  const audited = await until(async () => {
    await page.goto(`${url}${listing}`);
    return (await page.locator('.word.earning').count()) > 0;
  });
  check(audited !== null, 'the words of the listing are marked');
  const word = await page.textContent('.word.earning >> nth=0');
  const [earning, counts] = [texts.listing.status.earning, texts.listing.counts].map((said) =>
    word.indexOf(said),
  );
  check(
    earning > 0 && counts > earning && /\d/.test(word.slice(counts)),
    `a word says in text what it counts: ${word}`,
  );
  check((await page.textContent('main')).includes(texts.listing.nothingSaved), 'nothing is saved to a store');
  check(
    await page.locator(`main > p${has(texts.listing.countsHint)}`).isVisible(),
    'what a word counts is said',
  );

  await page.fill('#keywords-field', 'goals,mood,streak');
  await page.click(`button${has(texts.listing.keep)}`);
  await page.waitForSelector(`[role=status]${has(texts.listing.kept)}`);
  await page.reload();
  check((await page.inputValue('#keywords-field')) === 'goals,mood,streak', 'the keywords field is kept');

  const tryIt = `a${has(texts.keywordList.tryIt)}`;
  const advised = await page.locator(tryIt).count();
  check(advised > 0, `words to add are advised: ${advised}`);
  const places = await page.locator(`td > div:has(> ${tryIt})`).allTextContents();
  check(
    places.length === advised && places.every((one) => /\d/.test(one)),
    `each says what it adds to the score: ${places.join(', ')}`,
  );
  const names = await page.locator(`tr:has(${tryIt}) > th`).allTextContents();
  check(new Set(names).size === names.length, `each is listed once: ${names.join(', ')}`);
  const address = await page.getAttribute(`${tryIt} >> nth=0`, 'href');
  const tried = new URLSearchParams(address.split('?')[1]);
  await page.click(`${tryIt} >> nth=0`);
  await page.waitForSelector('#draft-title');
  const added = tried.get('add').split(' ');
  const indexed = [await draftOf('title'), await draftOf('subtitle'), await draftOf('kw_field')].join(' ');
  check(
    added.every((one) => indexed.toLowerCase().includes(one)) &&
      added.some((one) => indexed.endsWith(one) || tried.get('field') !== 'kw_field'),
    '"try it" opens the simulator with the words that were missing',
  );
  check(!page.url().includes('add='), 'a reload adds the word no second time');

  await isKept();
  await page.fill('#draft-subtitle', 'Routine & mood planner');
  await page.waitForSelector(`[role=status]${has(words.keeping)}`);
  await isKept();
  await page.reload();
  check((await draftOf('subtitle')) === 'Routine & mood planner', 'a typed draft survives a reload');

  const title = await draftOf('title');
  await page.fill('#draft-title', `${title} and far too many words`);
  await page.waitForSelector('#checked-title .error');
  check(true, 'the check says while typing that a text is too long');
  await page.click(`button[aria-label="${words.useLive}: Name"]`);
  await page.waitForFunction(() => document.querySelector('#checked-title .error') === null);

  const score = async () => {
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/metadata/simulate') && response.ok(), {
        timeout: scoreMs,
      }),
      page.click(`button${has(words.score)}`),
    ]);
    const { data } = await answer.json();
    await page.waitForURL(new RegExp(`run=${data.saved.id}$`));
    return data;
  };
  const first = await score();
  const row = `tr:has(th:text-is("${words.axes.global}"))`;
  const shown = await page.textContent(`${row} td:nth-child(3) .number`);
  check(Number(shown) === first.aso_health.global, `the score is that of the API: ${shown}`);
  const live = await page.textContent(`${row} td:nth-child(2)`);
  check(
    first.delta.global === null || Number(live) === first.aso_health.global - first.delta.global,
    `with the live score that it is compared with: ${live}`,
  );
  const runs = await page.evaluate(async () => {
    const headers = { accept: 'application/json', 'x-shelfwise-page': '1' };
    const answer = await fetch('/dashboard/api/metadata/simulate/history', { headers });
    return (await answer.json()).data;
  });
  check(runs[0].id === first.saved.id, 'the run is in the history of the API');
  const time = await page.$eval('td time', (one) => ({
    title: one.title,
    at: one.dateTime,
    // Texts of both directions are several boxes of a line.
    lines: new Set([...one.getClientRects()].map(({ top }) => Math.round(top))).size,
  }));
  check(
    time.lines === 1 && time.title === formatTime(time.at),
    `a time in a table is on one line, and whole in its title: ${time.title}`,
  );

  const isOther = page.locator(`.note${has(words.otherTexts(String(first.saved.id)))}`);
  const wasOther = await isOther.isVisible();
  await page.fill('#draft-subtitle', 'Goals');
  await isOther.waitFor();
  const columns = await page.locator(`table${has(words.axes.global)} >> nth=0 >> thead th`).allTextContents();
  check(
    !wasOther &&
      columns.includes(texts.timeline.runName(String(first.saved.id))) &&
      !columns.includes(words.draftScore),
    `a score names its run once the draft has other texts: ${columns.join(', ')}`,
  );
  const second = await score();
  await page.click(`button[aria-label="${words.compareRun(String(first.saved.id))}"]`);
  await page.waitForSelector(`h2${has(words.comparison(String(second.saved.id), String(first.saved.id)))}`);
  check((await draftOf('subtitle')) === 'Goals', 'two runs are compared, and the draft stays');
  const compared = page.url().slice(url.length);

  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.click(`button[aria-label="${words.copy}: Subtitle"]`);
  await page.waitForSelector(`.toasts${has(words.copied('Subtitle'))}`);
  check(
    (await page.evaluate(() => navigator.clipboard.readText())) === 'Goals',
    'a field is copied as plain text',
  );

  // The session ends while one types. The browser itself notes the answers 401.
  const noted = problems.length;
  await context.clearCookies();
  await page.fill('#draft-subtitle', 'Typed without a session');
  await page.waitForSelector('form.note input[type=password]');
  await page.fill('form.note input[type=password]', key);
  await page.click('form.note button[type=submit]');
  await isKept();
  check((await draftOf('subtitle')) === 'Typed without a session', 'the text stays while one signs in again');
  const unexpected = problems.splice(noted).filter((problem) => !problem.includes('401'));
  problems.push(...unexpected);
  await page.goto(`${url}${simulator}`);
  check((await draftOf('subtitle')) === 'Typed without a session', 'and is kept after it');
  return [listing, compared];
}

/** A hundred saved runs, every other one of another scoring version: their data is changed, because each costs a score. */
export async function manyRuns(browser, url, { storageState, simulator }) {
  const { page, context, problems } = await openPage(browser, url, { storageState });
  const words = texts.simulator;
  const [shown] = /(?<=run=)\d+/.exec(simulator);
  await changeData(page, '**/simulator*', ({ model }) => {
    const [first] = model.runs;
    model.runs = Array.from({ length: 100 }, (_, at) => ({
      ...first,
      id: String(1000 + at),
      scoringVersion: at % 2 === 0 ? model.run.scoringVersion : '0',
    }));
  });
  await page.goto(`${url}/dashboard/apps/1/simulator?run=${shown}`);
  const rows = page.locator(`tr:has(button${has(words.show)})`);
  check((await rows.count()) === 20, 'of 100 saved runs 20 are drawn');
  const [time] = await rows.locator('time').allTextContents();
  check(
    /\d\d:\d\d:\d\d$/.test(time),
    `runs have their seconds, by which those of one minute differ: ${time}`,
  );
  await page.setViewportSize({ width: 320, height: 900 });
  const isSeen = await rows.first().evaluate((row) => {
    const region = row.closest('.scroll').getBoundingClientRect();
    const change = row.querySelectorAll('td')[2].getBoundingClientRect();
    return change.left >= region.left && change.right <= region.right;
  });
  check(isSeen, 'their scores and changes are seen at 320 px');
  await page.setViewportSize({ width: 1280, height: 900 });
  const more = page.locator(`button${has(texts.table.more)}`);
  check(
    await page.locator(`p${has(texts.table.shown(formatNumber(20), formatNumber(100)))}`).isVisible(),
    'and how many there are is said',
  );
  await more.focus();
  for (let clicks = 0; clicks < 4; clicks++) await page.keyboard.press('Enter');
  check((await rows.count()) === 100 && (await more.count()) === 0, 'by the keyboard all are');
  const compared = await page.locator(`button${has(words.compare)}`).count();
  check(compared === 50, `a run is compared with those of its version alone (${compared})`);
  check(problems.length === 0, `100 saved runs without a problem: ${problems.join('; ')}`);
  await context.close();
}

/** A run that the address compares with one of another version: no scores, no words. */
export async function otherVersion(browser, url, { storageState, simulator }) {
  const { page, context } = await openPage(browser, url, { storageState });
  await changeData(page, '**/simulator*', ({ model: { comparison } }) => {
    comparison.words = 'other_version';
  });
  await page.goto(`${url}${simulator}`);
  const card = page.locator('section.card:has(h2)').last();
  check(
    (await card.textContent()).includes(texts.simulator.otherVersion),
    'runs of two versions are not compared',
  );
  check((await card.locator('.figure').count()) === 0, 'and none of their scores is shown next to the other');
  await context.close();
}
