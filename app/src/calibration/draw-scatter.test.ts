import fc from 'fast-check';
import { drawScatter } from './draw-scatter.ts';

const plot = { title: 'traffic and known value', scoreTitle: 'traffic', description: 'All of them.' };
const draw = (terms: Parameters<typeof drawScatter>[0]) => drawScatter(terms, plot);
const centers = (svg: string) =>
  [...svg.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, x, y]) => ({
    x: Number(x),
    y: Number(y),
  }));

test('the plot names itself, both axes and each point, and refers to nothing outside', () => {
  const svg = draw([
    { term: 'habits', known: 5, score: 40 },
    { term: 'mood', known: 9, score: 80 },
  ]);
  expect(svg).toContain('role="img" aria-labelledby="title description"');
  expect(svg).toContain('<title id="title">traffic and known value</title>');
  expect(svg).toContain('<desc id="description">All of them.</desc>');
  expect(svg).toMatch(/>known value<\/text>/);
  expect(svg).toMatch(/>traffic<\/text>/);
  expect(svg).toContain('<title>habits: known value 5, traffic 40</title>');
  expect(svg.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(
    /http|href|url\(|<script|@import/,
  );
  const [habits, mood] = centers(svg);
  expect(mood?.x).toBeGreaterThan(habits?.x ?? 0);
  expect(mood?.y).toBeLessThan(habits?.y ?? 0);
});

test('texts cannot end their element', () => {
  const svg = drawScatter([{ term: '</title><script>"x"&\u0000\ud800', known: 1, score: 1 }], {
    ...plot,
    description: '<desc> & more',
  });
  expect(svg).not.toContain('<script');
  expect(svg).toContain('&lt;/title&gt;&lt;script&gt;&quot;x&quot;&amp; \ufffd: known');
  expect(svg).toContain('&lt;desc&gt; &amp; more');
});

test('a wide range of known values is logarithmic, with powers of ten', () => {
  const svg = draw([1, 100, 10_000].map((known) => ({ term: `t${known}`, known, score: 50 })));
  expect(svg).toContain('known value (logarithmic)');
  const xs = centers(svg).map(({ x }) => x);
  expect((xs[1] ?? 0) - (xs[0] ?? 0)).toBeCloseTo((xs[2] ?? 0) - (xs[1] ?? 0), 1);
  expect(draw([0, 10_000].map((known) => ({ term: 'zero', known, score: 50 })))).not.toContain('logarithmic');
});

test('every point is within the axes, whatever the values', () => {
  const known = fc.oneof(
    fc.double({ min: -1e15, max: 1e15, noNaN: true }),
    fc.integer({ min: 0, max: 3 }),
    fc.constantFrom(1e15, 1e15 - 0.125, 1e-300),
  );
  const terms = fc.array(fc.record({ known, score: fc.integer({ min: 0, max: 100 }) }), { maxLength: 8 });
  fc.assert(
    fc.property(terms, (of) => {
      const svg = draw(of.map((each, index) => ({ term: `term ${index}`, ...each })));
      expect(svg).not.toMatch(/NaN|Infinity|undefined/);
      expect(centers(svg)).toHaveLength(of.length);
      for (const { x, y } of centers(svg)) {
        expect(x).toBeGreaterThanOrEqual(64);
        expect(x).toBeLessThanOrEqual(620);
        expect(y).toBeGreaterThanOrEqual(44);
        expect(y).toBeLessThanOrEqual(424);
      }
    }),
    { examples: [[[-5e-324, 5e-324].map((value) => ({ known: value, score: 0 }))]] },
  );
});
