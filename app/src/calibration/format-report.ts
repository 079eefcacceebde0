import { toPrintableLine } from '@shelfwise/runtime/log/printable';
import { nounFor } from '@shelfwise/runtime/noun-for';
import type { CalibrationReport, Estimate, ReportedTerm } from './calibration-report.ts';
import { scoreTitle } from './term-reading.ts';

/** The terms that are listed because score and known value differ most. */
const listedTerms = 10;

/** The report as a Markdown page, which shows the scatter plot of the same folder. */
export function formatReport(report: CalibrationReport): string {
  const title = scoreTitle(report.score);
  return `${[
    `# Calibration of ${title}`,
    summary(report),
    report.problem ?? correlationSection(report),
    ...(report.problem === null ? [bandSection(report), differenceSection(report)] : []),
    missingSection(report),
    ...(report.used_terms > 0 ? [`![Known value and ${title} of each term](scatter.svg)`] : []),
    methodSection(report),
  ].join('\n\n')}\n`;
}

/** The result in a few lines for a terminal. */
export function formatSummary(report: CalibrationReport): string {
  const { score, used_terms: used, input, problem, correlation, baseline, advantage } = report;
  return [
    `Terms with a ${scoreTitle(score)} score: ${used} of ${input.terms}.`,
    ...(problem === null
      ? [
          `Spearman's rank correlation with the known values: ${formatEstimate(correlation)}`,
          `The same of a naive guess (${baseline.description}): ${formatEstimate(baseline.correlation)}`,
          `Advantage of the score: ${formatEstimate(advantage)}`,
        ]
      : [problem]),
    ...report.without_score.map(
      ({ reason, terms }) => `No score, ${terms} ${nounFor(terms, 'term')}: ${reason}`,
    ),
  ].join('\n');
}

function summary({ score, input, used_terms: used, readings }: CalibrationReport): string {
  const days = [readings.first, readings.last].map((time) => time?.slice(0, 10));
  const when = days[0] === days[1] ? `on ${days[0]}` : `from ${days[0]} to ${days[1]}`;
  const read = days[0] === undefined ? '' : `. Their result pages were read ${when} (UTC)`;
  const versions = readings.scoring_versions.join(', ');
  const origin =
    used === 0 ? '' : ` Source: ${readings.sources.join(', ')}. Version of the scores: ${versions}.`;
  return `${used} of the ${input.terms} terms of ${code(input.file)} have a ${scoreTitle(score)} score${read}.${origin}`;
}

function correlationSection({
  score,
  correlation,
  baseline,
  advantage,
  by_storefront: storefronts,
}: CalibrationReport) {
  const rows = [
    [scoreTitle(score), correlation],
    [`naive guess: ${baseline.description}`, baseline.correlation],
    ['advantage of the score, over the terms that have both', advantage],
  ] as const;
  const parts = [
    `## Rank correlation\n\nSpearman's rank correlation with the known values.\n\n${estimateTable('compared', rows)}`,
  ];
  if (storefronts.length > 1) {
    const each = storefronts.map(
      ({ store, country, lang, correlation: own }) => [`${store} ${country} ${lang}`, own] as const,
    );
    parts.push(
      `By storefront. Known values of several storefronts are often not on one scale: then these rows count, not the one above.\n\n${estimateTable('storefront', each)}`,
    );
  }
  return parts.join('\n\n');
}

function estimateTable(head: string, rows: readonly (readonly [string, Estimate | null])[]): string {
  return table(
    [head, 'terms', 'correlation', '95 % interval'],
    rows.map(([name, estimate]) =>
      estimate === null
        ? [name, '', 'too few terms, or all equal', '']
        : [name, String(estimate.terms), estimate.value.toFixed(2), formatInterval(estimate)],
    ),
  );
}

function bandSection({ bands, mean_absolute_error: error, score }: CalibrationReport): string {
  const rows = bands.map((band) => [
    band.from === band.to
      ? formatNumber(band.from)
      : `${formatNumber(band.from)} to ${formatNumber(band.to)}`,
    String(band.terms),
    formatNumber(band.mean_known),
    formatNumber(band.mean_score),
    signed(band.mean_error),
    band.mean_absolute_error.toFixed(1),
  ]);
  const head = [
    'known value',
    'terms',
    'mean known value',
    `mean ${scoreTitle(score)}`,
    'mean error',
    'mean absolute error',
  ];
  return `## Error by band

By fifths of the known values; equal values are in one band. An error is the percentile of the score minus the percentile of the known value (0: the lowest of these terms, 100: the highest), because known values may have any scale. Above 0: the score places the term too high. The lowest band can hardly err downwards, nor the highest upwards.

${table(head, rows)}

Mean absolute error of all: ${error?.toFixed(1)}. A random order has about 33.`;
}

function differenceSection({ terms }: CalibrationReport): string {
  const furthest = terms
    .filter((term): term is ReportedTerm & { error: number } => term.error !== null)
    .sort((a, b) => Math.abs(b.error) - Math.abs(a.error))
    .slice(0, listedTerms);
  const rows = furthest.map(({ term, store, country, known_value: known, score, error }) => [
    // A bar would end the cell, also within code.
    code(term).replaceAll('|', '\\|'),
    `${store} ${country}`,
    formatNumber(known),
    formatNumber(score ?? Number.NaN),
    signed(error),
  ]);
  return `## Largest differences\n\n${table(['term', 'storefront', 'known value', 'score', 'error'], rows)}`;
}

function missingSection({ without_score: reasons }: CalibrationReport): string {
  if (reasons.length === 0) return '## Terms without a score\n\nNone.';
  const rows = reasons.map(({ reason, terms }) => [plain(reason), String(terms)]);
  return `## Terms without a score\n\nThey are in no figure; they do not count as 0.\n\n${table(['reason', 'terms'], rows)}`;
}

function methodSection({ method }: CalibrationReport): string {
  return `## Method

Equal values share the mean of their ranks. The intervals are percentile bootstraps (${method.resamples} draws of the terms with replacement, seed ${method.seed}); for the advantage, score and guess are computed on the same draws. They say how far chance in the choice of terms reaches, not whether these terms stand for others. \`report.json\` has all figures, unrounded, and every term.`;
}

/** For example `0.83 [0.71, 0.90] (40 terms)`. */
function formatEstimate(estimate: Estimate | null): string {
  if (estimate === null) return 'not given: too few terms, or all equal';
  return `${estimate.value.toFixed(2)} ${formatInterval(estimate)} (${estimate.terms} terms)`;
}

function formatInterval({ interval }: Estimate): string {
  return interval === null ? '' : `[${interval.low.toFixed(2)}, ${interval.high.toFixed(2)}]`;
}

function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${value.toFixed(1)}`;
}

function formatNumber(value: number): string {
  return Math.abs(value) < 1000 ? Number(value.toPrecision(4)).toString() : Math.round(value).toString();
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A text of others as code: nothing in it is Markdown or HTML. */
function code(text: string): string {
  const content = toPrintableLine(text);
  const longest = Math.max(0, ...[...content.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest > 0 ? `${fence} ${content} ${fence}` : `${fence}${content}${fence}`;
}

/** A sentence of others as text: nothing in it is Markdown or HTML. */
function plain(text: string): string {
  return toPrintableLine(text).replace(/[\\`*_[\]<>&|]/g, '\\$&');
}
