#!/usr/bin/env node
// Plays a newcomer: runs npm start on a new data folder, pastes the four printed calls into a shell, calls other
// endpoints, calls a tool through the packed assistant server, runs the scores and snapshot commands, tries a second start
// on the same folder, stops with Ctrl-C, and verifies the data after a restart.
import { execFileSync } from 'node:child_process';
import { callPackedMcp } from './check-packed-mcp.mjs';
import { createNewcomer } from './newcomer.mjs';
import { until } from './until.mjs';

const sampleDay = '2026-11-25';
const yesterday = '2026-11-24';
const { root, environment, start, stopAll } = createNewcomer({ SAMPLE_DAY: sampleDay });

function paste(output) {
  return output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('curl '))
    .map((line) => JSON.parse(execFileSync('bash', ['-c', line], { encoding: 'utf8' })));
}

/** Returns the data of an answer. Tries again while a rate window refuses the call, or a busy machine answers too late. */
async function call(system, path, body) {
  const key = system.output.match(/sw_live_\w+/)[0];
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const post = body && { method: 'POST', body: JSON.stringify(body) };
  return until(async () => {
    const answer = await fetch(`${system.url}/api/v1${path}`, { headers, ...post });
    const { data, error } = await answer.json();
    if (answer.status === 429 || answer.status === 503) return null;
    if (answer.status !== 200) throw new Error(`${path}: ${error}`);
    return data;
  });
}

/** The data of a path once the condition holds; null when it does not come to hold. */
function callUntil(system, path, isDone) {
  return until(async () => {
    const data = await call(system, path);
    return isDone(data) && data;
  });
}

/** Rows without scores, which arrive a moment after the ranks. */
function ranksOf({ data }) {
  return JSON.stringify(
    data.map(
      ({
        difficulty_score: _difficulty,
        traffic_score: _traffic,
        kei_score: _kei,
        scored_at: _scoredAt,
        ...row
      }) => row,
    ),
  );
}

function runNpm(script, ...words) {
  const args = ['run', '--silent', script, '--', ...words];
  return execFileSync('npm', args, { cwd: root, env: environment, encoding: 'utf8' });
}

function check(isTrue, expectation) {
  if (!isTrue) throw new Error(`failed: ${expectation}`);
  console.log(`ok: ${expectation}`);
}

/** Whether nothing answers at the address any more. */
function hasStopped(url) {
  return until(() =>
    fetch(`${url}/healthz`).then(
      () => false,
      () => true,
    ),
  );
}

async function stop(system) {
  process.kill(-system.child.pid, 'SIGINT');
  return system.exit;
}

try {
  const first = await start();
  const [application, keywords, ranks, health] = paste(first.output);
  check(application.data.id === 1, `call 1 tracks an app: ${application.data.app.title}`);
  check(keywords.data.success_count === 3, `call 2 tracks keywords: ${keywords.data.results[0].success}`);
  check(ranks.data.length === 3, 'call 3 reads the ranks');
  check(health.data.app.id === 1, 'call 4 answers with the audit, or that it is pending');
  const audited = await callUntil(first, '/applications/1/aso-health', ({ report }) => report !== null);
  check(audited?.report.axes.length === 3, `the audit follows: ${audited?.report.tier_label}`);

  const areScored = (rows) =>
    rows.every((row) => row.difficulty_score !== null && row.traffic_score !== null);
  const scored = await callUntil(first, '/keywords', areScored);
  check(scored !== null, 'the keywords have their scores');
  const title = 'Best Habit Tracker';
  const checked = await call(first, '/metadata/check', { store: 'GPLAY', title });
  check(checked.valid === false, 'the metadata check finds a forbidden word');
  const subtitle = 'Routine Planner: Goals & Mood';
  const simulate = () => call(first, '/metadata/simulate', { app_id: 1, subtitle });
  const run = await simulate();
  check(run.saved.is_new, 'a run of a new draft is kept');
  // Words that a busy machine has not read in time are left out, and are there later.
  const covered = await until(async () => (await simulate()).delta?.coverage > 0);
  check(covered, 'a draft with more searched words covers more');
  const storefront = 'store=ITUNES&country=US&lang=en-US';
  const inspected = await call(first, `/keywords/inspect?keyword=budget%20planner&${storefront}`);
  check(inspected.ranking.length === 20, `inspection of a keyword: KEI ${inspected.kei?.level}`);
  const { history } = await call(first, '/applications/1/scores/history');
  check(history.length === 1 && history[0].score > 0, `visibility of the app today: ${history[0]?.score}`);
  const key = first.output.match(/sw_live_\w+/)[0];
  const assistant = await callPackedMcp({ url: first.url, key });
  check(
    assistant.tools >= 25 && assistant.plan === 'unlimited',
    'the packed assistant server works in an empty folder',
  );
  const { status, stdout, stderr } = assistant.withoutKey;
  check(
    status === 1 && stdout === '' && /^[^\n]*SHELFWISE_API_KEY is missing[^\n]*\n$/.test(stderr),
    'without a key it ends with one line that says what to do',
  );
  const words = ['--store', 'ITUNES', '--country', 'US', '--keyword', 'habit tracker', '--json'];
  const explained = JSON.parse(runNpm('scores', 'explain', ...words));
  check(explained.difficulty_components.length === 5, 'npm run scores explains the scores of a keyword');

  const snapshot = JSON.parse(runNpm('snapshot', '--day', yesterday, '--json'));
  check(snapshot.is_complete && snapshot.done === 3, 'npm run snapshot fills in a past day of the sample');

  const second = await start().catch((error) => error);
  check(
    second instanceof Error && /in use/.test(second.message),
    'a second start on the same folder is refused',
  );
  await stop(first);
  // npm exits with the signal that it received, regardless of the exit code of its child.
  check(!/did not stop|"level":[56]0/.test(first.output), 'Ctrl-C stops the system cleanly');

  const again = await start();
  const [tracked, added, relisted] = paste(again.output);
  check(tracked.data[0].id === 1 && added.data.error_count === 3, 'a restart shows the app and its keywords');
  check(ranksOf(relisted) === ranksOf(ranks), 'and their ranks');

  // Like a process manager: the signal reaches only npm, and npm's shell does not forward it.
  again.child.kill('SIGTERM');
  await again.exit;
  check(await hasStopped(again.url), 'SIGTERM to npm stops the system too');
} finally {
  await stopAll();
}
