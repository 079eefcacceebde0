import { createRefusalLog } from './refusal-log.ts';

test('the first refusal of each reason in a minute has a line, and the next minute says how many had none', () => {
  let nowMs = 0;
  const lines: unknown[] = [];
  const log = createRefusalLog({
    logger: { info: (fields: unknown) => void lines.push(fields) } as never,
    monotonicMs: () => nowMs,
  });
  expect([log.admits('keys'), log.admits('keys'), log.admits('pages'), log.admits('keys')]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  nowMs = 59_999;
  expect(log.admits('keys')).toBe(false);
  expect(lines).toEqual([]);
  nowMs = 60_000;
  expect([log.admits('keys'), log.admits('pages')]).toEqual([true, true]);
  expect(lines).toEqual([{ reason: 'keys', requests: 3 }]);
});
