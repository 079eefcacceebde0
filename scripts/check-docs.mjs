#!/usr/bin/env node
// Checks README.md and docs/tour.md. For each page, `npm start` runs on an empty data folder and on a fixed day of the
// sample, and every block of shell commands is pasted into one shell, in order. The last command of a block must succeed,
// and the answer of the API must equal the one that the page shows below the block: every shown field, except times.
// Texts that the page shortens end with "...".
//   node scripts/check-docs.mjs [--print]     --print shows the whole answers, for writing the pages
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from './until.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const pages = ['README.md', 'docs/tour.md'];
/** The day that the pages show. */
const sampleDay = '2026-11-25';

/** `startShelfwise` replaces this block. */
const startCommand = 'npm ci && npm start';
/** This block is skipped, because CI runs the tests in a separate step. */
const testCommand = 'npm test';

/** The blocks of a page: `commands`, and the JSON answers that the page shows below them (`shown`). */
function readBlocks(page) {
  const text = readFileSync(join(root, page), 'utf8');
  const blocks = [];
  for (const [, language, body] of text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)) {
    const last = blocks.at(-1);
    if (language === 'sh') blocks.push({ commands: body.trim(), shown: [] });
    else if (language === 'json' && last) last.shown.push(...readDocuments(page, body));
    else if (language === 'json') throw new Error(`${page} shows an answer before any command:\n${body}`);
  }
  for (const { commands, shown } of blocks) {
    // So that a block that a rate window refused has changed nothing and can be repeated.
    if (callsIn(commands) > 1) throw new Error(`${page}: more than one call in a block:\n${commands}`);
    if (shown.length > callsIn(commands)) throw new Error(`${page}: an answer without a call:\n${commands}`);
  }
  return blocks;
}

/** The number of API calls: the pages define a shell function `call`. */
function callsIn(commands) {
  return commands.split('\n').filter((line) => line.startsWith('call ')).length;
}

/**
 * The answers of a JSON block. Each starts with `{` on a new line. `...` before a closing bracket stands for omitted
 * parts.
 */
function readDocuments(page, body) {
  return body
    .split(/\n(?=\{)/)
    .filter((document) => document.trim() !== '')
    .map((document) => {
      const whole = document.replaceAll(/,?\s*\.\.\.(?=\s*[\]}])/g, '');
      try {
        return JSON.parse(whole);
      } catch (error) {
        throw new Error(`${page} shows an answer that is not JSON (${error.message}):\n${document}`);
      }
    });
}

/** The repeated calls of earlier blocks: each may have spent one API request more than the page shows. */
let repeatedCalls = 0;

/** Describes each place where an answer does not match the shown one. `name` is the name of the current field. */
function* differences(shown, real, path = '', name = '') {
  if (kindOf(shown) !== kindOf(real)) {
    yield `${path || 'the answer'} is ${kindOf(real)}, the page shows ${kindOf(shown)}`;
  } else if (Array.isArray(shown)) {
    if (real.length < shown.length)
      yield `${path} has ${real.length} entries, the page shows ${shown.length}`;
    for (const [index, row] of shown.slice(0, real.length).entries())
      yield* differences(row, real[index], `${path}[${index}]`, name);
  } else if (kindOf(shown) === 'object') {
    for (const [key, value] of Object.entries(shown))
      yield* differences(value, real[key], `${path}.${key}`, key);
  } else if (!isSame(shown, real, name)) {
    yield `${path} is ${JSON.stringify(real)}, the page shows ${JSON.stringify(shown)}`;
  }
}

function isSame(shown, real, name) {
  if (name === 'api_requests') return shown <= real && real <= shown + repeatedCalls;
  // Times and request ids differ from run to run.
  if (/_at$|^request_id$/.test(name)) return true;
  if (typeof shown === 'string' && shown.endsWith('...')) return real.startsWith(shown.slice(0, -3));
  return shown === real;
}

function kindOf(value) {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : typeof value;
}

/** Runs `npm start` and resolves when Shelfwise is ready. The packages are already installed. */
async function startShelfwise(env) {
  const child = spawn('npm', ['start'], { cwd: root, env, detached: true });
  const exited = once(child, 'exit');
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const stop = async () => {
    if (child.exitCode === null) process.kill(-child.pid, 'SIGINT');
    await exited;
  };
  const readUrl = () => (/Ctrl-C/.test(output) ? /listens on (\S+)/.exec(output)?.[1] : undefined);
  await until(async () => readUrl() !== undefined || child.exitCode !== null);
  const url = readUrl();
  if (url !== undefined) return { url, stop };
  await stop();
  throw new Error(`npm start is not ready:\n${output}`);
}

/** A shell for the blocks of a page. `paste` returns what a block prints, and the exit code of its last command. */
function openShell(env) {
  const shell = spawn('bash', [], { cwd: root, env, stdio: ['pipe', 'pipe', 'inherit'] });
  let output = '';
  let onData = () => {};
  shell.stdout.on('data', (chunk) => {
    output += chunk;
    onData();
  });
  return {
    paste(block) {
      return new Promise((resolve) => {
        onData = () => {
          const end = /^end of the block: (\d+)\n/m.exec(output);
          if (!end) return;
          const printed = output.slice(0, end.index);
          output = output.slice(end.index + end[0].length);
          resolve({ printed, code: Number(end[1]) });
        };
        shell.stdin.write(`${block}\nprintf '\\nend of the block: %d\\n' $?\n`);
      });
    },
    close: () => shell.stdin.end(),
  };
}

/** Describes what is wrong with the output of a block; empty when it is right. */
function problemsOf({ commands, shown }, { printed, code }) {
  const problems = code === 0 ? [] : [`the last command exited with ${code}`];
  const answers = callsIn(commands) === 0 ? [] : printed.split('\n').filter((line) => line.startsWith('{'));
  if (answers.length !== callsIn(commands))
    problems.push(`${answers.length} answers to ${callsIn(commands)} calls`);
  for (const [index, answer] of answers.entries()) {
    const real = JSON.parse(answer);
    const expected = shown[index];
    if (real.error !== undefined && expected?.error === undefined) problems.push(`refused: ${real.error}`);
    else if (expected !== undefined) problems.push(...differences(expected, real));
  }
  return problems;
}

/** Whether a block calls the API and changes nothing, so that it may be repeated. */
function isReading(commands) {
  return callsIn(commands) > 0 && !/ -d | -X /.test(commands);
}

/** Pastes a block again while a rate window refuses its call, and while the answer of a block that only reads differs. */
async function pasteUntilRight(shell, commands, block) {
  let last = { result: null, problems: [] };
  await until(async () => {
    const result = await shell.paste(commands);
    const problems = problemsOf(block, result);
    last = { result, problems };
    const isRefused = problems.length > 0 && /"code":"RATE_LIMITED"/.test(result.printed);
    if (problems.length === 0 || !(isRefused || isReading(commands))) return true;
    if (!isRefused) repeatedCalls += callsIn(commands);
    return false;
  });
  return last;
}

async function checkPage(page) {
  const dataDir = mkdtempSync(join(tmpdir(), 'shelfwise-docs-'));
  const env = { ...process.env, PORT: '0', SHELFWISE_DATA_DIR: dataDir, SAMPLE_DAY: sampleDay };
  const blocks = readBlocks(page).filter(({ commands }) => ![startCommand, testCommand].includes(commands));
  let broken = 0;
  repeatedCalls = 0;
  const shelfwise = await startShelfwise(env);
  const shell = openShell(env);
  try {
    for (const block of blocks) {
      const commands = block.commands
        .replaceAll('http://localhost:8080', shelfwise.url)
        .replaceAll('.shelfwise/demo-key', join(dataDir, 'demo-key'));
      const { result, problems } = await pasteUntilRight(shell, commands, block);
      console.log(`${problems.length === 0 ? 'ok' : 'BROKEN'}: ${block.commands.replaceAll('\n', '\n    ')}`);
      if (problems.length > 0) console.log(`  ${problems.join('\n  ')}\n  ${result.printed.slice(0, 2000)}`);
      else if (process.argv.includes('--print')) console.log(result.printed.trim());
      broken += Math.min(problems.length, 1);
    }
  } finally {
    shell.close();
    await shelfwise.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
  console.log(`${page}: ${blocks.length} blocks, ${broken} broken`);
  return broken;
}

let broken = 0;
for (const page of pages) broken += await checkPage(page);
process.exitCode = broken === 0 ? 0 : 1;
