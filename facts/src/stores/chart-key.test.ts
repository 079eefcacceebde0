import { chartIdOf, chartKeyOf } from './chart-key.ts';

test.each(['ITUNES:US:6007:free', 'GPLAY:DE:GAME_ACTION:paid', 'ITUNES:JP:OVERALL:grossing'])(
  '%s is a chart',
  (id) => {
    const key = chartKeyOf(id);
    expect(key && chartIdOf(key)).toBe(id);
  },
);

test.each([
  '',
  'ITUNES:US:6007',
  'ITUNES:US:TOOLS:free',
  'ITUNES:us:6007:free',
  'ITUNES:US:6007:new',
  'ITUNES:US:6007:free:x',
])('%j is none', (id) => {
  expect(chartKeyOf(id)).toBeNull();
});
