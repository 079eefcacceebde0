#!/usr/bin/env node
// Opens the dashboard of a new npm start as a browser does: signs in by the printed link, tracks an app of the sample and keywords,
// and sees their ranks. Checks headers and sizes. What needs a real browser is in .ci/full.
import { createHash } from 'node:crypto';
import { brotliCompressSync } from 'node:zlib';
import { createNewcomer } from './newcomer.mjs';
import { until } from './until.mjs';

/**
 * Bytes as they are sent. `scripts`: of a page, its own and the one that all share; `all`: those of all pages, which is what was
 * reached and not the goal, 60,000 (docs/measurements.md); `page`: its HTML.
 */
const most = { scripts: 25_000, all: 71_500, style: 8_000, page: 60_000 };
/** Before the first picture: the HTML and what it names. */
const mostRequests = 3;
const { start, stopAll } = createNewcomer({ SAMPLE_DAY: '2026-11-25' });

function check(isTrue, expectation) {
  if (!isTrue) throw new Error(`failed: ${expectation}`);
  console.log(`ok: ${expectation}`);
}

/** A browser of one address: keeps the cookie and follows nothing. Faster than a person, so it repeats what is too often. */
function openBrowser(url) {
  let cookie = '';
  async function send(path, { method = 'GET', body, accept = 'text/html' } = {}) {
    const headers = {
      accept,
      cookie,
      'accept-encoding': 'br',
      'sec-fetch-site': 'same-origin',
      'x-shelfwise-page': '1',
    };
    const init = { method, headers, redirect: 'manual' };
    if (body) {
      headers['content-type'] = 'application/json';
      init.body = JSON.stringify(body);
    }
    const answer = await until(async () => {
      const sent = await fetch(new URL(path, url), init);
      return sent.status !== 429 && sent;
    });
    const set = answer.headers.getSetCookie()[0];
    if (set) cookie = set.split(';')[0];
    return answer;
  }
  return {
    send,
    async post(path, body) {
      const answer = await send(path, { method: 'POST', body, accept: 'application/json' });
      return { status: answer.status, body: await answer.json() };
    },
    /** The data inside the HTML of a page. */
    async open(path) {
      const answer = await send(path);
      const html = await answer.text();
      const [, data = 'null'] = html.match(/id="data">([^<]*)</) ?? [];
      return { status: answer.status, headers: answer.headers, html, ...JSON.parse(data) };
    },
  };
}

/** Bytes of an answer as it is sent. */
async function sizeOf(url, path) {
  const answer = await fetch(new URL(path, url), { headers: { 'accept-encoding': 'br' } });
  check(answer.status === 200, `${path} is there`);
  return Number(answer.headers.get('content-length'));
}

try {
  const system = await start();
  const [link, code] = system.output.match(/http\S+\/dashboard\/sign-in#(?:code=)?(\S+)/) ?? [];
  check(link?.startsWith(system.url), 'npm start prints a link that signs in');
  const browser = openBrowser(system.url);

  const away = await browser.send('/dashboard');
  check(
    [302, 303].includes(away.status) && away.headers.get('location') === '/dashboard/sign-in',
    'a stranger is led to sign in',
  );
  const signIn = await browser.open('/dashboard/sign-in');
  const policy = signIn.headers.get('content-security-policy') ?? '';
  for (const part of [
    "default-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ])
    check(policy.includes(part), `the pages forbid all but their own: ${part}`);
  check(!/unsafe|https?:|\*/.test(policy), 'they allow no other host');
  check(signIn.headers.get('cache-control') === 'no-store', 'a page is not stored');
  const [script] = signIn.html.match(/\/dashboard\/assets\/main-\w+\.js/) ?? [];
  const [shared] = signIn.html.match(/\/dashboard\/assets\/shared-\w+\.js/) ?? [];
  const [, style = ''] = signIn.html.match(/<style>([^<]*)</) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  check(policy.includes(`style-src 'sha256-${hash}';`), 'nothing inline but their own style, by its hash');
  const sharedSize = await sizeOf(system.url, shared);
  const sizes = {
    scripts: sharedSize + (await sizeOf(system.url, script)),
    style: brotliCompressSync(style).length,
  };
  for (const [name, size] of Object.entries(sizes))
    check(size <= most[name], `${name}: ${size} bytes, at most ${most[name]}`);

  const found = await browser.post('/dashboard/session/link/account', { code });
  check(found.body.data?.email?.includes('@'), `the link names its account: ${found.body.data?.email}`);
  check((await browser.post('/dashboard/session/link', { code })).status === 200, 'a click signs in');
  check(
    (await openBrowser(system.url).post('/dashboard/session/link', { code })).status === 401,
    'the link works once',
  );

  const first = await browser.open('/dashboard');
  const [suggestion] = first.model.suggestions;
  check(first.frame.isSample && suggestion, `the first page offers apps to begin with: ${suggestion?.title}`);
  const storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' };
  const tracked = await browser.post('/dashboard/api/applications', {
    app_id: suggestion.storeId,
    ...storefront,
  });
  const id = tracked.body.data?.id;
  check(id === 1, 'one click tracks one');
  const keywords = ['habit tracker', 'daily planner'];
  const added = await browser.post('/dashboard/api/keywords', { keywords, app_id: id, ...storefront });
  check(added.body.data?.success_count === 2, 'keywords are added');
  const listed = await browser.open(`/dashboard/apps/${id}/keywords`);
  check(
    listed.model.rows.every(({ rank }) => rank.state === 'known' || rank.state === 'not_ranked'),
    `their ranks are seen: ${JSON.stringify(listed.model.rows.map(({ keyword, rank }) => [keyword, rank.value]))}`,
  );
  const scored = await until(async () => {
    const { model } = await browser.open(`/dashboard/apps/${id}/keywords`);
    return model.rows.every(({ traffic }) => traffic.state !== 'pending') && model;
  });
  check(scored !== null, 'their scores follow');
  const keyword = listed.model.rows[0].id;
  /** Their addresses, by name. */
  const scripts = new Map();
  for (const path of [
    '',
    `/apps/${id}`,
    `/apps/${id}/keywords`,
    `/apps/${id}/keywords/${keyword}`,
    `/apps/${id}/listing`,
    `/apps/${id}/simulator`,
    `/apps/${id}/rivals`,
    '/niches',
    '/charts',
    '/alerts',
    '/account',
  ]) {
    const page = await browser.open(`/dashboard${path}`);
    const size = Number(page.headers.get('content-length'));
    check(
      page.status === 200 && size > 0 && size <= most.page,
      `/dashboard${path}: ${page.page}, ${size} bytes`,
    );
    const requests = 1 + page.html.match(/"\/dashboard\/assets\//g).length;
    check(requests <= mostRequests, `it takes ${requests} requests, at most ${mostRequests}`);
    const [, address, name] = page.html.match(/src="(\/dashboard\/assets\/(\w+)-\w+\.js)"/) ?? [];
    scripts.set(name, address);
  }
  let all = sharedSize;
  for (const [name, address] of scripts) {
    const size = await sizeOf(system.url, address);
    all += size;
    const both = sharedSize + size;
    check(both <= most.scripts, `scripts ${name} and shared: ${both} bytes, at most ${most.scripts}`);
  }
  check(all <= most.all, `all scripts: ${all} bytes, at most ${most.all}; the shared one ${sharedSize}`);
  const { status, page } = await browser.open('/dashboard/apps/999');
  check(status === 404 && page === 'problem', 'an app that is not tracked is a page that says so');
} finally {
  await stopAll();
}
