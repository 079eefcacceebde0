import type { ScoreBreakdown, ScoreComponent } from '@shelfwise/proto/scoring/v1/score_breakdown';
import { nounFor } from '@shelfwise/runtime/noun-for';
import { formatTable } from './format-table.ts';
import { formatDuration } from './snapshot-progress.ts';

/**
 * Formats the parts of a keyword's scores for a terminal. Ages are relative to `now`. The short names of parts and
 * intermediate values are those of the formulas in docs/scores.md.
 */
export function formatBreakdown(breakdown: ScoreBreakdown, now: Date): string {
  return [
    summary(breakdown),
    difficultySection(breakdown),
    trafficSection(breakdown),
    keiSection(breakdown),
    inputSection(breakdown, now),
    appSection(breakdown, now),
    probeSection(breakdown),
  ].join('\n\n');
}

function summary(breakdown: ScoreBreakdown): string {
  const {
    keyword,
    storefront,
    difficulty,
    traffic,
    kei,
    kei_level: keiLevel,
    is_navigational: isNavigational,
    search_status: searchStatus,
  } = breakdown;
  const { store, country, lang } = storefront ?? { store: '', country: '', lang: '' };
  const level = keiLevel ? ` (${keiLevel})` : '';
  const brand = isNavigational ? ', brand name' : '';
  return [
    `"${keyword}" in ${store} ${country} ${lang}`,
    `difficulty ${formatNumber(difficulty)}, traffic ${formatNumber(traffic)}, KEI ${formatNumber(kei)}${level}; ${searchStatus}${brand}`,
    `formula version ${breakdown.scoring_version}, scored on ${formatTime(breakdown.scored_at)}`,
  ].join('\n');
}

function difficultySection(breakdown: ScoreBreakdown): string {
  const limits = valuesOf(breakdown, ['places', 'limit']);
  const [results, limit] = [limits.get('places'), limits.get('limit')];
  const details = formatValues(valuesOf(breakdown, ['raw', 'cap']));
  if (results !== undefined && limit !== undefined) {
    details.push(`at most ${limit} (${results} ${nounFor(results, 'result')})`);
  }
  return componentSection('Difficulty', breakdown.difficulty_components, details);
}

function trafficSection(breakdown: ScoreBreakdown): string {
  const values = valuesOf(breakdown, ['rel', 'base', 'words', 'spec']);
  return componentSection('Traffic', breakdown.traffic_components, formatValues(values));
}

const keiReasons: ReadonlyMap<string, string> = new Map([
  ['no_results', '0 without results'],
  ['unsearched', 'at most 19.9 for a term that is not known to be searched'],
  ['brand', 'at most 39.9 for a brand name'],
  ['few_results', 'less for a page of fewer than five results'],
]);

function keiSection({ kei, kei_level: keiLevel, kei_reason: reason }: ScoreBreakdown): string {
  if (kei == null) return 'KEI: unknown until both scores are known';
  const why = reason == null ? undefined : (keiReasons.get(reason) ?? reason);
  return `KEI\n  score ${formatNumber(kei)}, level ${keiLevel}${why === undefined ? '' : ` (${why})`}`;
}

function componentSection(
  title: string,
  components: readonly ScoreComponent[],
  details: readonly string[],
): string {
  if (components.length === 0) return `${title}: not measured`;
  const rows = components.map(({ name, meaning, weight, value, points }) => [
    name,
    value == null ? 'unknown' : value.toFixed(3),
    weight.toFixed(3),
    points == null ? '-' : points.toFixed(1),
    meaning,
  ]);
  const table = formatTable(['part', 'value', 'weight', 'points', 'meaning'], rows);
  return `${title}\n${table}${details.length > 0 ? `\n  ${details.join(', ')}` : ''}`;
}

function inputSection({ inputs }: ScoreBreakdown, now: Date): string {
  const rows = inputs.map(({ name, read_at: readAt, source, note }) => [
    name,
    readAt ? formatAge(readAt, now) : '-',
    source || '-',
    note,
  ]);
  return `Inputs\n${formatTable(['input', 'age', 'source', 'note'], rows)}`;
}

function appSection({ apps }: ScoreBreakdown, now: Date): string {
  if (apps.length === 0) return 'Top apps: none';
  const rows = apps.map((app) => [
    String(app.rank),
    formatNumber(app.ratings),
    app.rating == null ? '-' : app.rating.toFixed(1),
    formatNumber(app.installs),
    app.updated_at ? formatAge(app.updated_at, now) : '-',
    app.evidence?.toFixed(2) ?? '-',
    app.title ?? '-',
  ]);
  const head = ['rank', 'ratings', 'stars', 'installs', 'updated', 'evidence', 'title'];
  return `Top apps\n${formatTable(head, rows)}`;
}

function probeSection({ probes }: ScoreBreakdown): string {
  if (probes.length === 0) return 'Suggestions: none were read';
  const shortestFirst = probes.toSorted((a, b) => a.prefix.length - b.prefix.length);
  const rows = shortestFirst.map(({ prefix, index, size }) => [
    `"${prefix}"`,
    String(size),
    index == null ? '-' : String(index + 1),
  ]);
  return `Position in the suggestions of the store\n${formatTable(['typed text', 'suggestions', 'position'], rows)}`;
}

/** The intermediate values with these names; a missing one is left out. */
function valuesOf(
  { intermediate_values: intermediateValues }: ScoreBreakdown,
  names: readonly string[],
): Map<string, number> {
  const valueByName = new Map(intermediateValues.map(({ name, value }) => [name, value]));
  return new Map(
    names.flatMap((name) => {
      const value = valueByName.get(name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

function formatValues(values: ReadonlyMap<string, number>): string[] {
  return [...values].map(([name, value]) => `${name} ${roundTo3(value)}`);
}

function formatNumber(value: number | null | undefined): string {
  return value == null ? '-' : value.toLocaleString('en-US');
}

function roundTo3(value: number): string {
  return String(Number(value.toFixed(3)));
}

function formatTime(at: Date | null): string {
  return at ? `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC` : 'an unknown date';
}

function formatAge(at: Date, now: Date): string {
  const seconds = Math.max(0, (now.getTime() - at.getTime()) / 1000);
  const days = Math.floor(seconds / 86_400);
  return days >= 2 ? `${days.toLocaleString('en-US')} days` : formatDuration(seconds);
}
