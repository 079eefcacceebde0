import { drawChart } from './chart.ts';
import type { Bucket } from './series.ts';

const bucket = (second: number, more: Partial<Bucket> = {}): Bucket => ({
  second,
  rate: 40,
  p50: 5,
  p95: 10,
  p99: 20,
  failures: {},
  cores: { gateway: 0.5 },
  memory: { gateway: 100 },
  ...more,
});

test('a picture has a panel for each figure that has values, and a line for each name', () => {
  const svg = drawChart('a <load>', [bucket(0), bucket(1), bucket(2)]);
  expect(svg).toContain('a &lt;load>');
  expect(svg).toContain('busy cores');
  expect(svg).not.toContain('failures a second');
  // Answers, three times, cores, memory.
  expect(svg.match(/stroke-linejoin/g)).toHaveLength(6);
});

test('a line starts at the left, reaches the right, and has a gap where a value is missing', () => {
  const svg = drawChart('load', [bucket(0), bucket(1, { p99: null }), bucket(2, { p99: 10 })]);
  // The axis ends at 20 ms: the first value is at the top of its panel, the last one in its middle.
  expect(svg).toContain('<path d="M60 272M880 347" ');
});
