import { bareCpuMs, judgeCpu } from './cpu-time.ts';

test('a limit of CPU time is kept, missed, or excused by a machine on which fixed work takes longer, too', () => {
  expect(judgeCpu(150, 150, 6)).toBe('met');
  expect(judgeCpu(151, 150, 6)).toBe('missed');
  expect(judgeCpu(151, 150, 3)).toBe('missed');
  expect(judgeCpu(299, 150, 12)).toBe('not judged');
  expect(judgeCpu(301, 150, 12)).toBe('missed');
});

test('the fixed work takes CPU time', () => {
  expect(bareCpuMs()).toBeGreaterThan(0);
});
