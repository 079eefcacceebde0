import { pointRadius } from './point-radius.ts';

test('the own app and a point without a line are larger', () => {
  expect(pointRadius(2, false)).toBeLessThan(pointRadius(2, true));
  expect(pointRadius(1, false)).toBeGreaterThan(pointRadius(2, false));
  expect(pointRadius(1, true)).toBeGreaterThan(pointRadius(1, false));
});
