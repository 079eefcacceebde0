// Prints pages as PDF by the browser, and reads the text and the size of what was printed.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isPseudo } from './language.mjs';
import { check } from './tools.mjs';

/**
 * Checks that each page prints its heading and content, and none of what only a screen needs.
 * @param pages each path, and texts that its paper must have
 */
export async function checkPrints({ browser, storageState, url, pages, folder }) {
  const context = await browser.newContext({ storageState, colorScheme: 'dark' });
  const page = await context.newPage();
  const scratch = mkdtempSync(join(tmpdir(), 'shelfwise-print-'));
  try {
    for (const [path, ...expected] of pages) {
      await page.goto(`${url}${path}`);
      await page.waitForSelector('h1');
      await page.emulateMedia({ media: 'print' });
      const shown = await page.evaluate(() => ({
        controls: [...document.querySelectorAll('nav, form, button, dialog, .toasts')].filter(
          (element) => element.checkVisibility() && !element.matches('th button, .star[aria-pressed=true]'),
        ).length,
        background: getComputedStyle(document.body).backgroundColor,
        cut: [...document.querySelectorAll('main *')].filter(
          (element) =>
            element.checkVisibility() &&
            getComputedStyle(element).overflowX !== 'visible' &&
            element.scrollWidth > element.clientWidth + 1,
        ).length,
        text: document.querySelector('main').innerText,
      }));
      check(shown.controls === 0, `${path} prints no control (${shown.controls})`);
      check(shown.cut === 0, `${path} prints nothing that is cut off (${shown.cut})`);
      check(shown.background === 'rgb(255, 255, 255)', `${path} prints on white, also from a dark screen`);
      for (const text of expected) check(shown.text.includes(text), `${path} prints “${text}”`);
      const pdf = await page.pdf({ format: 'A4', printBackground: false });
      const sheets = (pdf.toString('latin1').match(/\/Type\s*\/Page\b/g) ?? []).length;
      check(
        sheets >= 1 && sheets <= 40 && pdf.length > 5000,
        `${path} is a PDF of ${sheets} sheets, ${pdf.length} bytes`,
      );
      const file = join(folder ?? scratch, `print${path.replaceAll(/[^\w]+/g, '-').slice(0, 60)}.pdf`);
      writeFileSync(file, pdf);
      // From right to left, a PDF has the letters in the order in which they are drawn.
      const text = isPseudo ? null : readText(file);
      if (text !== null)
        for (const one of expected) check(text.includes(one), `the PDF of ${path} has the text “${one}”`);
      await page.emulateMedia({ media: 'screen' });
    }
  } finally {
    await context.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Null where there is no pdftotext. */
function readText(file) {
  try {
    return execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' });
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}
