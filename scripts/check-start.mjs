#!/usr/bin/env node
// What a newcomer does, done by a machine: npm start on a fresh data folder, the four calls that it prints, pasted
// into a shell, the other endpoints, scores explained, a past day filled in, a second start on the same folder, Ctrl-C, and
// a restart that still knows everything.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dataDir = mkdtempSync(join(tmpdir(), 'shelfwise-smoke-'));
const environment = { ...process.env, PORT: '0', SHELFWISE_DATA_DIR: dataDir };

const started = [];

function start() {
  const startedAt = performance.now();
  // A process group of its own, so that the signal reaches npm and the system alike, as Ctrl-C does.
  const child = spawn('npm', ['start'], { cwd: root, env: environment, detached: true });
  const system = { child, output: '', exit: new Promise((resolve) => child.once('exit', resolve)) };
  started.push(system);
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        system.output += chunk;
        if (/Ctrl-C stops it/.test(system.output))
          resolve(
            Object.assign(system, {
              ms: performance.now() - startedAt,
              url: system.output.match(/listens on (\S+)/)[1],
            }),
          );
      });
    child.once('exit', () => reject(new Error(`npm start ended:\n${system.output}`)));
  });
}

function paste(output) {
  return output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('curl '))
    .map((line) => JSON.parse(execFileSync('bash', ['-c', line], { encoding: 'utf8' })));
}

/** An answer's data; refused by a rate window, it waits as long as it is told and asks again. */
async function call(system, path, body) {
  const key = system.output.match(/sw_live_\w+/)[0];
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const post = body && { method: 'POST', body: JSON.stringify(body) };
  for (;;) {
    const answer = await fetch(`${system.url}/api/v1${path}`, { headers, ...post });
    const { data, error } = await answer.json();
    if (answer.status === 200) return data;
    if (answer.status !== 429) throw new Error(`${path}: ${error}`);
    await sleep(1000 * Number(answer.headers.get('retry-after')));
  }
}

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Asks until what is measured meanwhile is there; null when it is not after so long. */
async function callUntil(system, path, isThere, withinMs) {
  for (const giveUpAt = Date.now() + withinMs; Date.now() < giveUpAt; await sleep(500)) {
    const data = await call(system, path);
    if (isThere(data)) return data;
  }
  return null;
}

/** Ranks without scores, which are measured a moment later. */
function ranksOf({ data }) {
  return JSON.stringify(data.map(({ difficulty_score: _one, traffic_score: _other, ...row }) => row));
}

function runNpm(script, ...words) {
  const args = ['run', '--silent', script, '--', ...words];
  return execFileSync('npm', args, { cwd: root, env: environment, encoding: 'utf8' });
}

function yesterday() {
  return new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
}

function check(isTrue, promise) {
  if (!isTrue) throw new Error(`broken: ${promise}`);
  console.log(`ok: ${promise}`);
}

async function isGone(url, withinMs) {
  for (const giveUpAt = Date.now() + withinMs; Date.now() < giveUpAt; ) {
    const answer = await fetch(`${url}/healthz`).catch(() => null);
    if (answer === null) return true;
    await sleep(100);
  }
  return false;
}

async function stop(system) {
  process.kill(-system.child.pid, 'SIGINT');
  return system.exit;
}

try {
  const first = await start();
  check(first.ms < 5000, `ready in under 5 seconds (${Math.round(first.ms)} ms with npm)`);
  const [application, keywords, ranks, health] = paste(first.output);
  check(application.data.id === 1, `the first call tracks an app: ${application.data.app.title}`);
  check(keywords.data.success_count === 3, `the second tracks keywords: ${keywords.data.results[0].success}`);
  check(ranks.data.length === 3, 'the third reads their ranks');
  check(
    health.data.report?.axes.length === 3,
    `the fourth audits the app: ${health.data.report?.tier_label}`,
  );

  const areScored = (rows) =>
    rows.every((row) => row.difficulty_score !== null && row.traffic_score !== null);
  const scored = await callUntil(first, '/keywords', areScored, 10_000);
  check(scored !== null, 'the keywords have their scores within seconds');
  const title = 'Best Habit Tracker';
  const checked = await call(first, '/metadata/check', { store: 'GPLAY', title });
  check(checked.valid === false, 'a forbidden word is found in a draft');
  const subtitle = 'Routine Planner: Goals & Mood';
  const simulated = await call(first, '/metadata/simulate', { app_id: 1, subtitle });
  check(
    simulated.delta?.global > 0 && simulated.saved.is_new,
    'a draft that does what the audit advises scores better than the app',
  );
  const market = 'store=ITUNES&country=US&lang=en-US';
  const inspected = await call(first, `/keywords/inspect?keyword=budget%20planner&${market}`);
  check(inspected.ranking.length === 20, `a keyword is inspected: KEI ${inspected.kei?.level}`);
  const { history } = await call(first, '/applications/1/scores/history');
  check(history.length === 1 && history[0].score > 0, `the app's visibility today: ${history[0]?.score}`);
  const words = ['--store', 'ITUNES', '--country', 'US', '--keyword', 'habit tracker', '--json'];
  const explained = JSON.parse(runNpm('scores', 'explain', ...words));
  check(explained.difficulty_components.length === 5, 'npm run scores explains the scores of a keyword');

  const snapshot = JSON.parse(runNpm('snapshot', '--day', yesterday(), '--json'));
  check(snapshot.is_complete && snapshot.done === 3, 'npm run snapshot fills in a past day of the sample');

  const second = await start().catch((error) => error);
  check(
    second instanceof Error && /in use/.test(second.message),
    'a second start on the same folder says so',
  );
  await stop(first);
  // npm ends by the signal that it was sent, whatever its child's exit code.
  check(!/did not stop|"level":[56]0/.test(first.output), 'Ctrl-C drains and stops it');

  const again = await start();
  const [tracked, added, kept] = paste(again.output);
  check(tracked.data[0].id === 1 && added.data.error_count === 3, 'a restart knows the app and its keywords');
  check(ranksOf(kept) === ranksOf(ranks), 'and their ranks');

  // As a process manager does it: the signal reaches npm alone, whose shell does not pass it on.
  again.child.kill('SIGTERM');
  await again.exit;
  check(await isGone(again.url, 5000), 'SIGTERM to npm stops the system too');
} finally {
  for (const { child, exit } of started)
    if (child.exitCode === null && child.signalCode === null) {
      process.kill(-child.pid, 'SIGKILL');
      await exit;
    }
  rmSync(dataDir, { recursive: true, force: true });
}
