#!/usr/bin/env node
// Runs the scoring service alone and calls it with grpcurl: executes the lines of docs/scoring-alone.md and compares the
// answers with that page. Needs a build, Go, and a MongoDB-compatible server (MONGODB_URI, default 127.0.0.1:27017).
// The services take free ports, not those of the page: a connection of another process may have these.
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { until } from './until.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = readFileSync(new URL('../docs/scoring-alone.md', import.meta.url), 'utf8');
const MONGODB_URI = process.env.MONGODB_URI ?? 'mongodb://127.0.0.1:27017';
const GRPC_SECRET = randomBytes(32).toString('hex');
const started = [];

/** Returns the address where the service listens. */
async function start(entry, settings) {
  const env = {
    PATH: process.env.PATH,
    LOG_LEVEL: 'warn',
    GRPC_SECRET,
    GRPC_ADDRESS: '127.0.0.1:0',
    ...settings,
  };
  const child = spawn(process.execPath, [entry], { cwd: root, env });
  started.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const addressIn = () => / listens on ([^\s,;]+)/.exec(output)?.[1];
  await until(async () => addressIn() || child.exitCode !== null);
  const address = addressIn();
  if (!address) throw new Error(`${entry} did not start:\n${output}`);
  return address;
}

/** The first fenced code block in a language. */
function block(language) {
  const found = new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(page)?.[1];
  if (found === undefined) throw new Error(`the page has no ${language} block`);
  return found;
}

function check(isTrue, expectation) {
  if (!isTrue) throw new Error(`failed: ${expectation}`);
  console.log(`ok: ${expectation}`);
}

try {
  execFileSync(process.execPath, ['app/dist/commands/migrate.js'], {
    cwd: root,
    env: { ...process.env, MONGODB_URI },
    stdio: 'inherit',
  });
  const STORE_FETCH_ADDRESS = await start('services/store-fetch/dist/main.js', {
    STORE_SOURCE: 'sample',
    MONGODB_URI,
  });
  const address = await start('services/scoring/dist/main.js', { MONGODB_URI, STORE_FETCH_ADDRESS });

  const [setup, ...calls] = block('sh').replaceAll('127.0.0.1:50053', address).trim().split('\n');
  const answers = calls.map((call) =>
    execFileSync('bash', ['-c', `${setup}\n${call}`], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, GRPC_SECRET },
    }),
  );
  const [services, checked, explained] = answers;
  check(/^shelfwise\.scoring\.v1\.ScoringService$/m.test(services), 'the service lists its contracts');
  check(
    JSON.stringify(JSON.parse(checked)) === JSON.stringify(JSON.parse(block('json'))),
    'CheckMetadata answers as on the page',
  );
  const { breakdown } = JSON.parse(explained);
  check(
    breakdown.difficulty > 0 && breakdown.traffic > 0 && breakdown.apps.length === 10,
    `ExplainScores answers: difficulty ${breakdown.difficulty}, traffic ${breakdown.traffic}`,
  );
} finally {
  for (const child of started) {
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
}
