#!/usr/bin/env node
// Opens the dashboard of a new npm start in a real browser (Debian's chromium): journeys with pointer and keyboard, on the sample and
// on a store of its own that refuses and deceives; every page in two themes and two widths with axe, violations of the content
// security policy, requests to others, what is stored, and times.
//   node dashboard/browser/main.mjs [--pictures DIR] [--only sample|store|assistants]
// The same in the pseudo-language, which no user reaches: NODE_OPTIONS=--conditions=shelfwise-pseudo node dashboard/browser/main.mjs
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { onAssistants } from './connect-assistant.mjs';
import { onOwnStore } from './on-own-store.mjs';
import { onSample } from './on-sample.mjs';
import { check, chromiumPath, failures, seenStates } from './tools.mjs';

const { values } = parseArgs({ options: { pictures: { type: 'string' }, only: { type: 'string' } } });
const journeys = Object.entries({ sample: onSample, store: onOwnStore, assistants: onAssistants }).filter(
  ([name]) => values.only === undefined || values.only === name,
);
if (journeys.length === 0) {
  console.error('usage: node dashboard/browser/main.mjs [--pictures DIR] [--only sample|store|assistants]');
  process.exit(2);
}
if (!chromiumPath) {
  console.error('there is no chromium (Debian: apt-get install chromium)');
  process.exit(2);
}
const states = ['blocked', 'known', 'not_applicable', 'not_ranked', 'partial', 'pending', 'stale', 'unknown'];
const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
try {
  for (const [name, run] of journeys)
    await run(browser, { folder: values.pictures }).catch(async (error) => {
      check(false, `the journeys on the ${name} come to their end: ${error.stack}`);
      for (const page of browser.contexts().flatMap((context) => context.pages()))
        console.log(`${page.url()}\n${await page.locator('body').innerText()}`);
    });
  const missing = states.filter((state) => !seenStates.has(state));
  if (values.only === undefined)
    check(
      missing.length === 0,
      `the eight states of a figure are seen${missing.map((state) => `, not ${state}`)}`,
    );
} finally {
  await browser.close();
}
if (failures.length > 0) {
  console.log(`${failures.length} failed`);
  process.exitCode = 1;
}
