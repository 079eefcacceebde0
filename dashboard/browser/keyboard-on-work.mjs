// Six journeys by the keyboard alone on the pages on which one works: listing, simulator, niches, charts, links and rivals. The account
// tracks the first app of the sample and has a competitor; the topic is analyzed and the chart is read already.
import { around, has, isolated, says, texts } from './language.mjs';
import { compareByKeyboard } from './rivals.mjs';
import { check } from './tools.mjs';

export async function workByKeyboard(page, url) {
  const { keyboard } = page;
  /** Presses Tab until the focus is on what a selector names, and, where there are several, on the one with this text. */
  const tabTo = async (selector, text = '') => {
    for (let presses = 0; presses < 300; presses++) {
      await keyboard.press('Tab');
      const isThere = await page.evaluate(
        ([wanted, part]) =>
          document.activeElement?.matches(wanted) && document.activeElement.textContent.includes(part),
        [selector, text],
      );
      if (isThere) return;
    }
    throw new Error(`Tab never reaches ${selector} ${text}`);
  };
  const goTo = async (letter, address) => {
    await keyboard.press('g');
    await keyboard.press(letter);
    await page.waitForURL(address);
    await page.waitForSelector('h1');
    // A script is faster than a person: what it asks next has the whole window of a second.
    await page.waitForTimeout(1000);
  };

  await page.goto(`${url}/dashboard/apps/1`);
  await page.waitForSelector('h1');
  await goTo('l', /listing$/);
  await tabTo('a[href*="add="]');
  await keyboard.press('Enter');
  await page.waitForSelector('#draft-title');
  check(page.url().endsWith('/simulator'), '1. from a word to add to the simulator');

  await tabTo('#draft-subtitle');
  await keyboard.press('Control+a');
  await keyboard.type('Mood diary');
  await tabTo('button', texts.simulator.score);
  await keyboard.press('Enter');
  await page.waitForURL(/run=\d+$/, { timeout: 60_000 });
  await tabTo('button', texts.simulator.compare);
  await keyboard.press('Enter');
  await page.waitForURL(/run=\d+&with=\d+$/);
  check(
    (await page.inputValue('#draft-subtitle')) === 'Mood diary',
    '2. a draft is typed, scored and compared',
  );

  await page.goto(`${url}/dashboard/apps/1`);
  await page.waitForSelector('h1');
  await goTo('n', /niches$/);
  await tabTo('#topic');
  await keyboard.type('habit tracker');
  await keyboard.press('Enter');
  // What is tracked already loses its checkbox when that is known.
  await page.waitForSelector('article.cluster .tracked');
  await tabTo('article.cluster input[type=checkbox]');
  await keyboard.press('Space');
  await tabTo('article.cluster .actions button', around(texts.niches.track)[0]);
  await keyboard.press('Enter');
  await page.waitForSelector('article.cluster .outcomes li');
  check(true, '3. a topic is asked for, and a keyword of it is tracked');

  await page.goto(`${url}/dashboard/apps/1`);
  await page.waitForSelector('h1');
  await goTo('t', /charts$/);
  await tabTo('#collection');
  await keyboard.press('ArrowDown');
  await tabTo('form button', texts.charts.show);
  await keyboard.press('Enter');
  await page.waitForURL(/collection=paid/);
  const add = page.locator(
    `tr:has(button[aria-label^=${JSON.stringify(around(texts.charts.addOf)[0])}]) bdi >> nth=0`,
  );
  const name = await add.textContent();
  await keyboard.press('/');
  await keyboard.type(name);
  await page.waitForFunction(() => document.querySelectorAll('tbody tr').length < 10);
  await keyboard.press('Escape');
  await tabTo(`button[aria-label=${JSON.stringify(texts.charts.addOf(name))}]`);
  await keyboard.press('Enter');
  await page.waitForSelector('tbody .mark.rival');
  const said = await page.textContent('.toasts');
  check(
    says(said, texts.charts.added, 2) && said.includes(isolated(name)),
    `4. a competitor of a chart: ${said}`,
  );

  await page.goto(`${url}/dashboard/apps/1`);
  await page.waitForSelector('h1');
  await tabTo('summary', texts.shareLinks.title);
  await keyboard.press('Enter');
  // While the links are being read, the form cannot be sent.
  await page.waitForSelector(`details p${has(texts.shareLinks.none)}`);
  await tabTo('#link-label');
  await keyboard.type('By keyboard');
  await keyboard.press('Enter');
  await page.waitForSelector('details pre');
  const end = `button[aria-label=${JSON.stringify(texts.shareLinks.endOf('By keyboard'))}]`;
  await tabTo(end);
  await keyboard.press('Enter');
  await page.waitForSelector('dialog[open]');
  // From the way back to the other button.
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  await page.waitForSelector(end, { state: 'detached' });
  check(true, '5. a link is made and ended');

  await compareByKeyboard({ page, url, tabTo, goTo });
}
