// Journeys on the pages on which a listing is worked on: from what is wrong with it to a better draft.
import { until } from '../../scripts/until.mjs';

/** A first score of an app reads its words one after another. */
const scoreMs = 60_000;

/**
 * @param problems what the page has noted so far
 * @param key the account's key, to sign in again
 * @returns the addresses of the pages, with what they show at most
 */
export async function workOnListing({ context, page, problems, url, key, check }) {
  const listing = '/dashboard/apps/1/listing';
  const simulator = '/dashboard/apps/1/simulator';
  const draftOf = (field) => page.inputValue(`#draft-${field}`);
  const isKept = () =>
    page.waitForFunction(() =>
      [...document.querySelectorAll('[role=status]')].some(({ textContent }) =>
        /^Kept \d|^Kept \w+ \d/.test(textContent),
      ),
    );

  const audited = await until(async () => {
    await page.goto(`${url}${listing}`);
    return (await page.locator('.word.earning').count()) > 0;
  });
  check(audited !== null, 'the words of the listing are marked');
  const word = await page.textContent('.word.earning >> nth=0');
  check(/earning.*counts.*\d/.test(word), `a word says in text what it counts: ${word}`);
  check(
    (await page.textContent('main')).includes('Nothing on this page is saved to it'),
    'nothing is saved to a store',
  );

  await page.fill('#keywords-field', 'goals,mood,streak');
  await page.click('button:has-text("Keep it")');
  await page.waitForSelector('[role=status]:has-text("Kept.")');
  await page.reload();
  check((await page.inputValue('#keywords-field')) === 'goals,mood,streak', 'the keywords field is kept');

  const advised = await page.locator('a:has-text("Try it")').count();
  check(advised > 0, `words to add are advised: ${advised}`);
  const address = await page.getAttribute('a:has-text("Try it") >> nth=0', 'href');
  const tried = new URLSearchParams(address.split('?')[1]);
  await page.click('a:has-text("Try it") >> nth=0');
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
  await page.waitForSelector('[role=status]:has-text("Being kept")');
  await isKept();
  await page.reload();
  check((await draftOf('subtitle')) === 'Routine & mood planner', 'a typed draft survives a reload');

  const title = await draftOf('title');
  await page.fill('#draft-title', `${title} and far too many words`);
  await page.waitForSelector('#checked-title .error');
  check(true, 'the check says while typing that a text is too long');
  await page.click('button[aria-label^="Use the live text: Name"]');
  await page.waitForFunction(() => document.querySelector('#checked-title .error') === null);

  const score = async () => {
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/metadata/simulate') && response.ok(), {
        timeout: scoreMs,
      }),
      page.click('button:has-text("Score the draft")'),
    ]);
    const { data } = await answer.json();
    await page.waitForURL(new RegExp(`run=${data.saved.id}$`));
    return data;
  };
  const first = await score();
  const shown = await page.textContent('tr:has(th:text-is("Overall")) .number');
  check(Number(shown) === first.aso_health.global, `the score is that of the API: ${shown}`);
  const runs = await page.evaluate(async () => {
    const headers = { accept: 'application/json', 'x-shelfwise-page': '1' };
    const answer = await fetch('/dashboard/api/metadata/simulate/history', { headers });
    return (await answer.json()).data;
  });
  check(runs[0].id === first.saved.id, 'the run is in the history of the API');

  await page.fill('#draft-subtitle', 'Goals');
  await score();
  await page.click('button:has-text("Compare")');
  await page.waitForSelector('h2:has-text("against run")');
  check((await draftOf('subtitle')) === 'Goals', 'two runs are compared, and the draft stays');
  const compared = page.url().slice(url.length);

  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.click('button[aria-label="Copy for the store: Subtitle"]');
  await page.waitForSelector('.toasts:has-text("is copied")');
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
