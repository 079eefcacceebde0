import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

// The scripts are for Debian.
const onLinux = process.platform === 'linux' ? describe : describe.skip;
const steps = join(__dirname, '../.ci/steps.sh');

/** Runs a script of steps as .ci/run does. `jest RESULTS` stands for a run of jest with these results. */
function runSteps(script: string) {
  const jest = `jest() { printf '%s' "$1" > "$results/$RANDOM.json"; [[ $1 = *'"numFailedTests":0,"numRuntimeErrorTestSuites":0'* ]]; }`;
  const { stdout, status } = spawnSync(
    'bash',
    ['-uo', 'pipefail', '-c', `. ${steps}\n${jest}\n${script}\nclose_ci`],
    { encoding: 'utf8' },
  );
  return { status, lines: stdout.trim().split('\n') };
}

function results(passed: number, failed = 0, broken = 0): string {
  const counts = { numPassedTests: passed, numFailedTests: failed, numRuntimeErrorTestSuites: broken };
  return `'${JSON.stringify({ ...counts, numPendingTests: 0, testResults: [] })}'`;
}

onLinux('a script of steps', () => {
  test.each<[why: string, script: string, closing: string]>([
    ['steps and tests that pass', `step a true\nstep b jest ${results(5)}`, '5 passed, 0 failed'],
    ['a failed step', `step a false\nstep b jest ${results(5)}`, '5 passed, 1 failed'],
    ['a failed test, once', `step a jest ${results(5, 1)}`, '5 passed, 1 failed'],
    ['three failed tests and a broken suite', `step a jest ${results(5, 3, 1)}`, '5 passed, 4 failed'],
    [
      'tests that pass in a run that fails',
      `b() { jest ${results(5)}; return 1; }\nstep a b`,
      '5 passed, 1 failed',
    ],
    ['results that were cut off', `step a jest '{"numPas'\nstep b jest ${results(5)}`, '5 passed, 1 failed'],
    ['nothing passed', 'step a true', '0 passed, 1 failed'],
    [
      'steps in the background',
      `b() { step a false; step c false; }\nstart b\nstep d jest ${results(5)}`,
      '5 passed, 2 failed',
    ],
    [
      'long steps in the background, awaited or not',
      `b() { step a false; }\nc() { b; }\nstart b\nstart c\nawait c\nawait\nstart b\nstep d jest ${results(5)}`,
      '5 passed, 3 failed',
    ],
    [
      'steps in the background that end early',
      `b() { step a false; echo "$UNSET"; }\nstart b\nstep d jest ${results(5)}`,
      '5 passed, 2 failed',
    ],
  ])('the closing line counts %s', (_why, script, closing) => {
    const { status, lines } = runSteps(script);
    expect(lines.at(-1)).toBe(closing);
    expect(status).toBe(closing.endsWith(' 0 failed') ? 0 : 1);
  });

  test('a run of jest that writes no results fails', () => {
    const { lines } = runSteps(`npm() { true; }\nstep a tests unit\nstep b jest ${results(5)}`);
    expect(lines).toContain('jest wrote no results');
    expect(lines.at(-1)).toBe('5 passed, 1 failed');
  });

  test('what could not run is named', () => {
    expect(runSteps(`skipped 'the chart: no Go'\nstep a jest ${results(5)}`).lines).toContain(
      'skipped: the chart: no Go',
    );
  });
});
