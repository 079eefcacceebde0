#!/usr/bin/env node
// The tour of the README, walked by a machine: npm start on a fresh data folder, then every command line of "## A tour" in
// one shell, in their order, as they stand but for the address and the data folder. Each must succeed, and what it
// answers must have the fields, and the kinds of values, that the README shows below it.
//   node scripts/check-docs.mjs
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dataDir = mkdtempSync(join(tmpdir(), 'shelfwise-tour-'));
const environment = { ...process.env, PORT: '0', SHELFWISE_DATA_DIR: dataDir };
const readyWithinMs = 120_000;
/** A key may make 5 calls in any second. */
const pauseMs = 250;

/** The tour's steps: a command line, and the answers that the README shows for it, null when it shows none. */
function readSteps() {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const section = /^## A tour\n([\s\S]*?)^## /m.exec(readme)?.[1];
  if (section === undefined) throw new Error('the README has no section "A tour"');
  const steps = [];
  let shown = null;
  let unanswered = [];
  for (const line of section.split('\n')) {
    if (line.startsWith('```')) {
      if (shown === null) shown = { isJson: line === '```json', text: '' };
      else {
        if (shown.isJson) answer(unanswered, shown.text);
        unanswered = [];
        shown = null;
      }
    } else if (shown !== null) shown.text += `${line}\n`;
    else if (/^ {4}\S/.test(line)) {
      const step = { line: line.trim(), shows: null };
      steps.push(step);
      unanswered.push(step);
    } else if (line.trim() !== '' && unanswered.every(({ line: last }) => !isCall(last))) unanswered = [];
  }
  return steps;
}

/** The documents of a block belong to the last calls before it, one each. */
function answer(steps, text) {
  const documents = readDocuments(text);
  const calls = steps.filter(({ line }) => isCall(line)).slice(-documents.length);
  if (calls.length !== documents.length)
    throw new Error(`the README shows ${documents.length} answers to ${calls.length} calls:\n${text}`);
  for (const [index, call] of calls.entries()) call.shows = documents[index];
}

/** One document begins on a line of its own; `...` stands for what is left out. */
function readDocuments(text) {
  return text
    .split(/\n(?=\{)/)
    .filter((document) => document.trim() !== '')
    .map((document) => {
      const whole = document.replaceAll(/,?\s*\.\.\.(?=\s*[\]}])/g, '').replaceAll(/\[ [^\]"{[]+ \]/g, '[]');
      try {
        return JSON.parse(whole);
      } catch (error) {
        throw new Error(`the README shows an answer that is no JSON (${error.message}):\n${document}`);
      }
    });
}

function isCall(line) {
  return line.startsWith('call ');
}

/** Where an answer lacks what the README shows; a number may be another one but where uses are counted, a date another day. */
function* differences(shown, real, path = '') {
  if (kindOf(shown) !== kindOf(real)) {
    yield `${path || 'the answer'} is ${kindOf(real)}, the README shows ${kindOf(shown)}`;
  } else if (Array.isArray(shown)) {
    // The sample has a page of its own for every day: a list may be shorter, but not empty.
    if (shown.length > 0 && real.length === 0) yield `${path} is empty`;
    for (const [index, row] of shown.entries())
      if (index < real.length) yield* differences(row, real[index], `${path}[${index}]`);
  } else if (kindOf(shown) === 'object') {
    for (const [key, value] of Object.entries(shown)) yield* differences(value, real[key], `${path}.${key}`);
  } else if (path.startsWith('.data.usage.') && shown !== real)
    yield `${path} is ${real}, the README shows ${shown}`;
}

function kindOf(value) {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : typeof value;
}

async function startSystem() {
  const child = spawn('npm', ['start'], { cwd: root, env: environment, detached: true });
  const gone = once(child, 'exit');
  let output = '';
  const listens = new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
        if (/Ctrl-C stops it/.test(output)) resolve(/listens on (\S+)/.exec(output)[1]);
      });
    void gone.then(() => reject(new Error(`npm start ended:\n${output}`)));
    setTimeout(() => reject(new Error(`npm start is not ready:\n${output}`)), readyWithinMs).unref();
  });
  const stop = async () => {
    if (child.exitCode === null) process.kill(-child.pid, 'SIGINT');
    await gone;
  };
  return {
    url: await listens.catch(async (error) => {
      await stop();
      throw error;
    }),
    stop,
  };
}

/** A shell that is given one line after the other, and what each of them prints. */
function startShell() {
  const shell = spawn('bash', [], { cwd: root, env: environment, stdio: ['pipe', 'pipe', 'inherit'] });
  let output = '';
  let onData = () => {};
  shell.stdout.on('data', (chunk) => {
    output += chunk;
    onData();
  });
  return {
    run(line) {
      return new Promise((resolve) => {
        onData = () => {
          const end = /^end of the step: (\d+)\n/m.exec(output);
          if (!end) return;
          const printed = output.slice(0, end.index);
          output = output.slice(end.index + end[0].length);
          resolve({ printed, code: Number(end[1]) });
        };
        shell.stdin.write(`${line}\nprintf '\\nend of the step: %d\\n' $?\n`);
      });
    },
    stop: () => shell.stdin.end(),
  };
}

function* problemsOf({ line, shows }, { printed, code }) {
  if (code !== 0) yield `it ended with ${code}`;
  if (!isCall(line)) return;
  let real;
  try {
    real = JSON.parse(printed);
  } catch {
    yield 'its answer is no JSON';
    return;
  }
  if (shows !== null) yield* differences(shows, real);
  if (real.error !== undefined && shows?.error === undefined) yield `it was refused: ${real.error}`;
}

const steps = readSteps();
let broken = 0;
let system, shell;
try {
  system = await startSystem();
  shell = startShell();
  for (const step of steps) {
    const line = step.line
      .replaceAll('http://localhost:8080', system.url)
      .replaceAll('.shelfwise/demo-key', join(dataDir, 'demo-key'));
    const done = await shell.run(line);
    const problems = [...problemsOf(step, done)];
    console.log(`${problems.length === 0 ? 'ok' : 'BROKEN'}: ${step.line}`);
    if (problems.length > 0) console.log(`  ${problems.join('\n  ')}\n  ${done.printed.slice(0, 2000)}`);
    broken += Math.min(problems.length, 1);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
} finally {
  shell?.stop();
  await system?.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
const calls = steps.filter(({ line }) => isCall(line)).length;
console.log(`${steps.length} steps of the tour, ${calls} of them calls of the API; ${broken} broken`);
process.exitCode = broken === 0 ? 0 : 1;
