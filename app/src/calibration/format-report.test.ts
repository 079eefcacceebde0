import type { CalibrationReport } from './calibration-report.ts';
import { formatReport, formatSummary } from './format-report.ts';

const estimate = { terms: 12, value: 0.8349, interval: { low: 0.5, high: 0.91 } };
const report: CalibrationReport = {
  score: 'traffic',
  input: { file: 'my `terms`.csv', sha256: 'a', terms: 13 },
  used_terms: 12,
  without_score: [{ reason: 'the store <b>blocked</b> | it', terms: 1 }],
  problem: null,
  correlation: estimate,
  baseline: { description: 'terms with fewer words first', correlation: { ...estimate, value: 0.2 } },
  advantage: { ...estimate, value: 0.6349, interval: null },
  mean_absolute_error: 12.34,
  bands: [
    {
      from: 1,
      to: 5000,
      terms: 12,
      mean_known: 1234.56,
      mean_score: 40,
      mean_error: 3.21,
      mean_absolute_error: 12.34,
    },
  ],
  by_storefront: [],
  readings: {
    sources: ['sample'],
    scoring_versions: [3],
    first: '2026-03-01T10:00:00.000Z',
    last: '2026-03-02T10:00:00.000Z',
  },
  method: { confidence: 0.95, resamples: 2000, seed: 1, least_terms: 10 },
  terms: [
    {
      term: 'a|b`c',
      store: 'ITUNES',
      country: 'US',
      lang: 'en-US',
      known_value: 5000,
      score: 7,
      error: -50,
      no_score_because: null,
    },
    {
      term: 'lost',
      store: 'ITUNES',
      country: 'US',
      lang: 'en-US',
      known_value: 9,
      score: null,
      error: null,
      no_score_because: 'blocked',
    },
  ],
};

test('the page has the correlation next to the naive guess, the bands, the reasons and the plot', () => {
  const page = formatReport(report);
  expect(page).toContain(
    '12 of the 13 terms of `` my `terms`.csv `` have a traffic score. Their result pages were read from 2026-03-01 to 2026-03-02 (UTC).',
  );
  expect(page).toContain(
    '| traffic | 12 | 0.83 | [0.50, 0.91] |\n| naive guess: terms with fewer words first | 12 | 0.20 | [0.50, 0.91] |',
  );
  expect(page).toContain('| 1 to 5000 | 12 | 1235 | 40 | +3.2 | 12.3 |');
  expect(page).toContain('| `` a\\|b`c `` | ITUNES US | 5000 | 7 | -50.0 |');
  expect(page).toContain('| the store \\<b\\>blocked\\</b\\> \\| it | 1 |');
  expect(page).toContain('](scatter.svg)');
  expect(page).not.toContain('lost');
});

test('without figures the page says why, and shows none', () => {
  const problem = 'Too few terms have a score to say anything: 0; at least 10 are needed.';
  const empty: CalibrationReport = {
    ...report,
    used_terms: 0,
    problem,
    correlation: null,
    advantage: null,
    baseline: { ...report.baseline, correlation: null },
    bands: [],
    readings: { sources: [], scoring_versions: [], first: null, last: null },
  };
  const page = formatReport(empty);
  expect(page).toContain(problem);
  expect(page).not.toMatch(/NaN|undefined|null|## Rank|## Error|scatter\.svg/);
  expect(formatSummary(empty).split('\n').slice(0, 2)).toEqual([
    'Terms with a traffic score: 0 of 13.',
    problem,
  ]);
});

test('several storefronts have rows of their own', () => {
  const at = { store: 'ITUNES', lang: 'en-US', terms: 12, used_terms: 12 } as const;
  const page = formatReport({
    ...report,
    by_storefront: [
      { ...at, country: 'US', correlation: estimate },
      { ...at, country: 'GB', correlation: null },
    ],
  });
  expect(page).toContain('| ITUNES US en-US | 12 | 0.83 | [0.50, 0.91] |');
  expect(page).toContain('| ITUNES GB en-US |  | too few terms, or all equal |  |');
});
