import * as texts from '#texts';
import type { PageData } from '../page-data.ts';
import { renderFrame } from './frame.ts';

const head = {
  scripts: {
    main: 'main-ABC.js',
    work: 'work-ABC.js',
    app: 'app-ABC.js',
    keyword: 'keyword-ABC.js',
    more: 'more-ABC.js',
    account: 'account-ABC.js',
    rivals: 'rivals-ABC.js',
    shared: 'shared-ABC.js',
  },
  style: '.a > .b{color:red}\n',
};
const hostile = '</script><script>alert(1)</script><!-- <img src=x onerror=alert(1)>\u2028';
const app = {
  id: '1',
  storeId: hostile,
  title: hostile,
  store: 'ITUNES',
  country: 'US',
  lang: 'en-US',
  hasIcon: true,
} as const;
const data: PageData = {
  page: 'keywords',
  frame: {
    account: { email: 'you@example.com', plan: 'unlimited' },
    isSample: false,
    troubles: [],
    rankDays: null,
    hasShortcuts: true,
    today: '2026-11-28',
    apps: [app],
    appId: '1',
  },
  model: { app, rows: [], hasMore: false },
};

test('texts of a store are neither markup nor script, and reach the page unchanged', () => {
  const html = renderFrame(data, head);
  expect(html.match(/<script/g)).toHaveLength(2);
  expect(html).not.toContain('<img');
  const [, json = ''] = /<script type="application\/json" id="data">([^<]*)<\/script>/.exec(html) ?? [];
  expect(JSON.parse(json)).toEqual(data);
  expect(html).toContain('<title>Keywords of \u2068&lt;/script&gt;');
});

test('a page names its scripts by their hashes, and holds its style as it is', () => {
  const html = renderFrame(data, head);
  expect(html).toContain('src="/dashboard/assets/main-ABC.js"');
  // To the letter: the headers allow it by its hash.
  expect(html).toContain(`<style>${head.style}</style>`);
  // Both scripts are asked for together: the second one is not found only when the first is there.
  expect(html).toContain('<link rel="modulepreload" href="/dashboard/assets/shared-ABC.js">');
});

test('only a page that loads again by itself does so without its script', () => {
  const problem = (reloads: boolean): PageData => ({
    page: 'problem',
    frame: null,
    model: {
      message: 'Too often.',
      works: 'after_wait',
      requestId: 'a',
      canRetry: true,
      retryAfterSeconds: 2,
      reloads,
    },
  });
  const refresh = '<noscript><meta http-equiv="refresh" content="2"></noscript>';
  expect(renderFrame(problem(true), head)).toContain(refresh);
  for (const other of [problem(false), data]) expect(renderFrame(other, head)).not.toContain('http-equiv');
});

test('a page without a script says so, in the language of the table', () => {
  const html = renderFrame(data, head).replace(/<(script|style|title)[\s\S]*?<\/\1>/g, '');
  const said = html.split(/<[^>]*>/).map((text) => text.trim());
  expect(said.filter((text) => text !== '')).toEqual([texts.noScript, '/docs']);
  expect(html).toContain('<html lang="en" dir="ltr">');
});
