import { readFileSync } from 'node:fs';
import { tools } from './index.ts';

/** More names and descriptions than a model chooses from reliably. */
const mostTools = 45;
const mostBytes = { chosenFrom: 25_000, whole: 400_000 };

const page = readFileSync('docs/first-calls.md', 'utf8');
const tasks = [...page.matchAll(/^\| (\d+) \| (\w+) \| (.+) \| `(\w+)` \| `(\w+)` \|$/gm)].map(
  ([, number, who, task, right, chosen]) => ({ number: Number(number), who, task, right, chosen }),
);
const toolNames = tools.map(({ name }) => name);

test('tasks of three sorts of people name tools that exist', () => {
  expect(tasks.map(({ number }) => number)).toEqual(Array.from({ length: 33 }, (_, index) => index + 1));
  expect(new Set(tasks.map(({ who }) => who))).toEqual(new Set(['indie', 'ASO', 'SaaS']));
  expect(new Set(tasks.map(({ task }) => task)).size).toBe(33);
  const named = [...page.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, name]) => name);
  expect(named.filter((name = '') => !toolNames.includes(name))).toEqual([]);
});

test('the right tool was chosen first in at least 30 of them', () => {
  const wrong = tasks.filter(({ right, chosen }) => right !== chosen);
  expect(wrong.length).toBeLessThanOrEqual(3);
});

test('no task says the name of its tool', () => {
  const inWords = ({ task = '', right = '' }) => task.toLowerCase().includes(right.replaceAll('_', ' '));
  expect(tasks.filter(inWords)).toEqual([]);
});

test('the list is short enough to choose from', () => {
  expect(tools.length).toBeLessThanOrEqual(mostTools);
  const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
  const chosenFrom = tools.map(({ name, title, description }) => ({ name, title, description }));
  expect(bytesOf(chosenFrom)).toBeLessThan(mostBytes.chosenFrom);
  const whole = tools.map(({ inputSchema, outputSchema, annotations }, index) => {
    return { ...chosenFrom[index], inputSchema, outputSchema, annotations };
  });
  expect(bytesOf(whole)).toBeLessThan(mostBytes.whole);
});

test('the research session calls tools that exist, and says of a keyword what the recorded examples say', () => {
  const session = readFileSync('docs/research-session.md', 'utf8');
  const called = [...session.matchAll(/^\| [^|]+ \| `(\w+)`/gm)].map(([, name = '']) => name);
  expect(called).toEqual(expect.arrayContaining(['list_keyword_gap', 'list_alerts']));
  expect(called.filter((name) => !toolNames.includes(name))).toEqual([]);
  const { value } = JSON.parse(readFileSync('gateway/examples/list-keyword-gap.json', 'utf8'));
  const [{ keyword, traffic_score: traffic, difficulty_score: difficulty, kei, own_rank: rank }] = value.data;
  expect(session).toContain(`traffic ${traffic}, difficulty ${difficulty}, KEI ${kei} `);
  expect(session).toMatch(new RegExp(`[ ,|] ${keyword}: ${rank}[,; ]`));
});
