import { tierLabel } from './tiers.ts';

test('the tiers are Emerging, Growing and Established', () => {
  expect([1, 2, 3].map(tierLabel)).toEqual(['Emerging', 'Growing', 'Established']);
});

test.each([0, 4, 1.5, Number.NaN])('there is no tier %p', (tier) => {
  expect(() => tierLabel(tier)).toThrow(RangeError);
});
