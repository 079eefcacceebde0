// The closing line of a CI script: the sum of all test runs, and the steps that failed.
//   node .ci/close.mjs RESULTS-FOLDER FAILED-STEPS
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder, failedSteps] = process.argv.slice(2);
const runs = readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')));
const sum = (field) => runs.reduce((total, run) => total + run[field], 0);
const passed = sum('numPassedTests');
const failed = sum('numFailedTests') + sum('numRuntimeErrorTestSuites') + Number(failedSteps);
if (sum('numPendingTests') > 0) console.log(`skipped: ${sum('numPendingTests')} tests`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
