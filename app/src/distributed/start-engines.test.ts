import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEngines } from './start-engines.ts';

const folder = mkdtempSync(join(tmpdir(), 'sw-engines-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Stands for infra.sh: records its words and has this status. */
function writeScript(status: string): { script: string; calls: () => string[] } {
  const [script, log] = [join(folder, 'infra.sh'), join(folder, 'calls')];
  writeFileSync(log, '');
  writeFileSync(
    script,
    `echo "$*" >> ${log}
case $1 in
  status) printf '${status}' ;;
  up) echo REDIS_URL=redis://127.0.0.1:1 ;;
esac
`,
  );
  return { script, calls: () => readFileSync(log, 'utf8').trim().split('\n') };
}

test('only the engines that did not run before are stopped at the end', async () => {
  const { script, calls } = writeScript(
    'redis up: REDIS_URL=redis://127.0.0.1:1\\nmongo down\\nkafka down\\n',
  );
  const { settings, stop } = await startEngines(script);
  expect(settings).toEqual({ REDIS_URL: 'redis://127.0.0.1:1' });
  await stop();
  expect(calls()).toEqual(['status', 'up', 'down mongo kafka']);
});

test('engines that all ran before go on', async () => {
  const { script, calls } = writeScript('redis up: x\\nmongo up: x\\nkafka up: x\\n');
  const { stop } = await startEngines(script);
  await stop();
  expect(calls()).toEqual(['status', 'up']);
});
