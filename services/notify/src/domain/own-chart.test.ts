import { ownChart } from './own-chart.ts';

const us = { store: 'ITUNES', country: 'US' };

test('an app is in the chart of its category and country, free or paid', () => {
  expect(ownChart(us, { genre_key: '6007', price: 0 })).toBe('ITUNES:US:6007:free');
  expect(ownChart({ store: 'GPLAY', country: 'DE' }, { genre_key: 'TOOLS', price: 2.99 })).toBe(
    'GPLAY:DE:TOOLS:paid',
  );
});

test.each([
  [us, { genre_key: '6007' }],
  [us, { price: 0 }],
  [us, { genre_key: 'TOOLS', price: 0 }],
  [null, { genre_key: '6007', price: 0 }],
  [
    { ...us, store: 'UNSPECIFIED' },
    { genre_key: '6007', price: 0 },
  ],
])('of %j and %j no chart is known', (storefront, listing) => {
  expect(ownChart(storefront, listing)).toBeNull();
});
