// The end of a CI script: the slowest suites of all test runs, the time, and the closing line: the tests that passed, and the
// tests and other steps that failed. Nothing passed is a failure, too.
//   node .ci/close.mjs RESULTS-FOLDER FAILED-STEPS SECONDS "CPU times of the children, such as 1m2.3s 0m4.5s" PRINTED-BY-STEPS
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder, failedSteps, seconds, cpuTimes, printedFile] = process.argv.slice(2);
const runs = readdirSync(folder).flatMap(readRun);
const sum = (field) => runs.reduce((total, run) => total + run[field], 0);
const shownSuites = 20;

const suites = runs.flatMap(({ testResults }) =>
  testResults.map(({ name, startTime, endTime, assertionResults }) => ({
    name: name.replace(/^.*\/checkout\//, ''),
    seconds: (endTime - startTime) / 1000,
    tests: assertionResults.length,
  })),
);
suites.sort((one, other) => other.seconds - one.seconds);
console.log(`the ${Math.min(shownSuites, suites.length)} slowest of ${suites.length} suites:`);
for (const suite of suites.slice(0, shownSuites))
  console.log(`${suite.seconds.toFixed(1).padStart(7)} s  ${suite.name} (${suite.tests} tests)`);

const cpuSeconds = [...cpuTimes.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
  (total, [, minutes, rest]) => total + 60 * Number(minutes) + Number(rest),
  0,
);
console.log(`${(Number(seconds) / 60).toFixed(1)} minutes, ${Math.round(cpuSeconds)} CPU seconds`);

// As experiments print it.
const notJudged = [...readFileSync(printedFile, 'utf8').matchAll(/^(\d+) not judged: machine$/gm)];
if (notJudged.length > 0)
  console.log(
    `not judged: machine: ${notJudged.reduce((total, [, count]) => total + Number(count), 0)} goals of time`,
  );

const passed = sum('numPassedTests');
// A test run that failed is a failed step already.
const furtherFailures = runs.map((run) =>
  Math.max(0, run.numFailedTests + run.numRuntimeErrorTestSuites - 1),
);
const failed =
  furtherFailures.reduce((one, other) => one + other, Number(failedSteps)) || (passed === 0 ? 1 : 0);
if (sum('numPendingTests') > 0) console.log(`skipped: ${sum('numPendingTests')} tests`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

/** The results of a test run; none when jest was killed while it wrote them. */
function readRun(file) {
  try {
    return [JSON.parse(readFileSync(join(folder, file), 'utf8'))];
  } catch {
    console.log(`the results of ${file} cannot be read`);
    return [];
  }
}
