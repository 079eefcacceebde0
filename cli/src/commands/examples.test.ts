import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCliHere } from '../../test/harness/run-cli-here.ts';
import { endpoints } from '../api/endpoints.ts';
import { commands } from './index.ts';

const folder = join(__dirname, '../../../gateway/examples');
const env = { SHELFWISE_API_KEY: 'key' };

/** The recorded answer of the endpoint that is called. */
const answerRecorded: typeof fetch = async (url, { method = 'GET' } = {}) => {
  const { pathname } = new URL(String(url));
  const [operationId = ''] =
    Object.entries(endpoints).find(
      ([, one]) => one.method === method && one.path.replace(/\{\w+\}/, '1') === pathname,
    ) ?? [];
  const file = `${operationId.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.json`;
  return new Response(JSON.stringify(JSON.parse(readFileSync(join(folder, file), 'utf8')).value));
};

const storefront = ['--store', 'ITUNES', '--country', 'US', '--lang', 'en-US'];
const calls: Readonly<Record<string, string[][]>> = {
  apps: [[], ['--add', '9005997251', ...storefront]],
  keywords: [[], ['--sort=delta']],
  track: [['1']],
  ranks: [['1', '--competitors']],
  audit: [['1'], ['1', '--words']],
  simulate: [['--app', '1', '--subtitle', 'Routine Planner: Goals & Mood']],
  check: [['--store', 'ITUNES', '--title', 'Best Habit Tracker']],
  niches: [['habit tracker', ...storefront]],
  charts: [storefront.slice(0, 4), ['--categories']],
  gap: [['1', '--own-min-rank', '2']],
  alerts: [[]],
};
const calling = commands.filter(({ endpoint }) => endpoint !== null);

describe.each(calling)('$name', ({ name }) => {
  test.each(calls[name] ?? [])('prints the recorded answer as a table for people', async (...args) => {
    const options = { env, fetch: answerRecorded, input: 'habit tracker\nmood diary\n' };
    const wide = await runCliHere([name, ...args.flat()], options);
    const narrow = await runCliHere([name, ...args.flat()], { ...options, columns: 60 });
    for (const { code, stdout, stderr } of [wide, narrow]) {
      expect([0, 6]).toContain(code);
      expect(stdout + stderr).not.toMatch(/undefined|null|NaN|\[object/);
      expect(stdout + stderr).toMatch(/\w/);
    }
  });
});

test('every command has a call here', () => {
  expect(Object.keys(calls)).toEqual(calling.map(({ name }) => name));
});
