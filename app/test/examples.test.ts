import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import {
  exampleFile,
  examplesFolder,
  type RecordedExample,
  readExample,
} from '@shelfwise/gateway/openapi/recorded-examples';
import { routes } from '@shelfwise/gateway/routes/index';
import { createSink } from '../../testing/system/run-command-here.ts';
import { recordExamples } from '../scripts/record-examples/record-examples.ts';

let recorded: Record<string, RecordedExample>;
let progress: { topic: string; phase?: string; msg: string }[];

beforeAll(async () => {
  let log = '';
  recorded = await recordExamples({ destination: createSink((text) => (log += text)) });
  progress = (log.match(/^\{.*"level":30.*$/gm) ?? []).map((line) => JSON.parse(line));
});

test.each(routes.map(({ operationId }) => operationId))(
  'the running system answers the sample request of %s as its example shows',
  (operationId) => {
    expectRecorded(readExample(operationId), recorded[operationId]);
  },
);

test('there are no examples of other endpoints', () => {
  const files = routes.map(({ operationId }) => basename(exampleFile(operationId)));
  expectRecorded(readdirSync(examplesFolder).sort(), files.sort());
});

test('the terminal shows the progress of a niche analysis in at most five lines, and no other call', () => {
  expect(progress.map(({ phase, msg }) => phase ?? msg)).toEqual(
    expect.arrayContaining(['candidates', 'clusters', 'niche analysis stored']),
  );
  expect(progress.every(({ topic }) => topic === 'habit tracker')).toBe(true);
  expect(progress.length).toBeLessThanOrEqual(5);
});

/** Fails with the command that repairs it, above the differences. */
function expectRecorded(stored: unknown, current: unknown): void {
  try {
    expect(stored).toEqual(current);
  } catch (cause) {
    throw new Error(`If the change is intended, run npm run record-examples.\n${(cause as Error).message}`);
  }
}
