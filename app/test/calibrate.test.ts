import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CalibrationReport } from '../src/calibration/calibration-report.ts';
import { live, useSharedSystem, useSystems } from './use-systems.ts';

const sample = useSharedSystem();
/** In its own data folder no system runs unless a test starts one. */
const { dataDir, start, calibrate, startCommand, startStore } = useSystems();

/** The terms of docs/calibrate.md, with the search volumes that the sample catalog assumes. */
const example = /```\nterm,country,known_value\n([\s\S]*?)```/.exec(
  readFileSync('docs/calibrate.md', 'utf8'),
)?.[1];

function writeTerms(rows: string, name = 'terms.csv'): string {
  const folder = join(dataDir(), 'work');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `term,country,known_value\n${rows}`);
  return join(folder, name);
}
const inFolder = (name: string) => join(dataDir(), 'work', 'calibration', name);
const readReport = (): CalibrationReport => JSON.parse(readFileSync(inFolder('report.json'), 'utf8'));

test('the example of the documentation: the report of the sample, and again where no system runs', async () => {
  const running = { SHELFWISE_DATA_DIR: sample.dataDir() };
  const file = writeTerms(example ?? '');
  const first = await calibrate(['--terms', file], running);
  expect(first).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Terms with a traffic score: 15 of 15\./),
  });
  expect(first.stderr).toMatch(/using the Shelfwise that runs on [\s\S]*0 of 15 terms read/);
  const report = readReport();
  expect(report).toMatchObject({
    used_terms: 15,
    problem: null,
    without_score: [],
    readings: { sources: ['sample'] },
  });
  expect(report.correlation?.value).toBeGreaterThan(0.6);
  expect(report.advantage?.value).toBeGreaterThan(0);
  expect(readFileSync(inFolder('report.md'), 'utf8')).toContain('| traffic | 15 |');
  expect(readFileSync(inFolder('scatter.svg'), 'utf8')).toMatch(
    /^<svg [\s\S]*photo editor: known value[\s\S]*<\/svg>\n$/,
  );
  expect(readdirSync(join(dataDir(), 'work', 'calibration'))).toHaveLength(4);

  // As kill -9 leaves it: the last line is half-written.
  truncateSync(inFolder('terms.jsonl'), readFileSync(inFolder('terms.jsonl')).length - 20);
  const second = await calibrate(['--terms', file, '--json'], running);
  expect(second.stderr).toContain('14 of 15 terms were read before');
  expect(JSON.parse(second.stdout)).toEqual(report);

  const third = await calibrate(['--terms', file, '--score', 'difficulty']);
  expect(third).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^15 of 15 terms were read before\n$/),
  });
  expect(readReport()).toMatchObject({ score: 'difficulty', used_terms: 15 });

  writeTerms(`${example}mood tracker,US,69192\n`);
  const changed = await calibrate(['--terms', file]);
  expect(changed).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/other contents of the input/),
  });
});

test('a few terms are too few for a figure', async () => {
  const few = await calibrate(
    ['--terms', writeTerms('habits,US,1\nmood tracker,US,2\n'), '--out', inFolder('few')],
    { SHELFWISE_DATA_DIR: sample.dataDir() },
  );
  expect(few).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/Too few terms have a score to say anything: 2;/),
  });
  expect(readFileSync(join(inFolder('few'), 'report.md'), 'utf8')).not.toContain('## Rank correlation');
});

test('Ctrl-C while the store hangs ends the command without a report; the same command reads the terms later', async () => {
  const store = await startStore();
  store.setFault('hang');
  await start(live(store.url));
  const args = ['--terms', writeTerms('habit tracker,US,1\n'), '--score', 'difficulty'];
  const stuck = startCommand('calibrate', args);
  await stuck.waitForStderr(/0 of 1 terms read/);
  stuck.interrupt();
  expect(await stuck.result).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/Stopped with 1 term left/),
  });
  expect(existsSync(inFolder('report.json'))).toBe(false);

  store.setFault('ok');
  expect(await calibrate(args)).toMatchObject({ code: 0 });
  expect(readReport()).toMatchObject({ used_terms: 1, readings: { sources: ['app-store'] } });
});

test('a misused calibrate command exits with 2, a failed one with 1, both without stdout; --help prints the usage', async () => {
  expect(await calibrate([])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/--terms is missing/),
  });
  const bad = await calibrate(['--terms', writeTerms('habits,US,\nmood,ZZ,1\n', 'bad.csv')]);
  expect(bad).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(
      /Line 2: known_value is empty\.\nLine 3: country "ZZ" is not a country of ITUNES\./,
    ),
  });
  writeFileSync(join(dataDir(), 'latin1.csv'), Buffer.from([0x74, 0xe9]));
  const notText = await calibrate(['--terms', join(dataDir(), 'latin1.csv')]);
  expect(notText).toMatchObject({ code: 2, stderr: expect.stringMatching(/is not text in UTF-8/) });
  const nowhere = await calibrate(['--terms', writeTerms('habits,US,1\n')]);
  expect(nowhere).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/Start it with "npm start"/),
  });
  expect((await calibrate(['--help'])).stdout).toContain('Usage');
});
