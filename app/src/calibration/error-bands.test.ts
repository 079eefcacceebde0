import fc from 'fast-check';
import { errorBands, percentileErrors } from './error-bands.ts';

test('by hand: five terms, the score of the lowest is the highest', () => {
  const pairs = [100, 200, 300, 400, 500].map((known, index) => ({
    known,
    score: [50, 10, 20, 30, 40][index] ?? 0,
  }));
  expect(percentileErrors(pairs)).toEqual([100, -25, -25, -25, -25]);
  expect(errorBands(pairs)[0]).toEqual({
    from: 100,
    to: 100,
    terms: 1,
    mean_known: 100,
    mean_score: 50,
    mean_error: 100,
    mean_absolute_error: 100,
  });
  expect(errorBands(pairs).map(({ terms }) => terms)).toEqual([1, 1, 1, 1, 1]);
});

const pairs = fc.array(
  fc.record({ known: fc.integer({ min: 0, max: 12 }), score: fc.integer({ min: 0, max: 100 }) }),
  { minLength: 2, maxLength: 40 },
);

test('every term is in one band; bands do not overlap; the errors add up to 0', () => {
  fc.assert(
    fc.property(pairs, (of) => {
      const bands = errorBands(of);
      expect(bands.reduce((sum, { terms }) => sum + terms, 0)).toBe(of.length);
      for (const [index, band] of bands.entries()) {
        expect(band.from).toBeLessThanOrEqual(band.to);
        expect(band.from).toBeGreaterThan(bands[index - 1]?.to ?? -1);
        expect(Math.abs(band.mean_error)).toBeLessThanOrEqual(band.mean_absolute_error + 1e-9);
      }
      expect(bands.reduce((sum, band) => sum + band.mean_error * band.terms, 0)).toBeCloseTo(0, 6);
    }),
  );
});

test('the scale of the known values does not matter, and a perfect order has no error', () => {
  fc.assert(
    fc.property(pairs, (of) => {
      const scaled = of.map(({ known, score }) => ({ known: Math.exp(known) - 3, score }));
      expect(percentileErrors(scaled)).toEqual(percentileErrors(of));
      const perfect = of.map(({ known }) => ({ known, score: known * 2 }));
      expect(percentileErrors(perfect).every((error) => error === 0)).toBe(true);
    }),
  );
});
