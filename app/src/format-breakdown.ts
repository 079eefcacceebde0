import type { ScoreBreakdown, ScoreComponent } from '@shelfwise/proto/scoring/v1/score_breakdown';
import { formatTable } from './format-table.ts';
import { formatDuration } from './snapshot-progress.ts';

/** How the scores of a keyword came about, for a person at a terminal. `now`: what ages are reckoned from. */
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
  const brand = isNavigational ? ', the name of an app or its maker' : '';
  return [
    `"${keyword}" in ${store} ${country} ${lang}`,
    `difficulty ${shown(difficulty)}, traffic ${shown(traffic)}, KEI ${shown(kei)}${level}; ${searchStatus}${brand}`,
    `by version ${breakdown.scoring_version} of the formulas, on ${moment(breakdown.scored_at)}`,
  ].join('\n');
}

function difficultySection(breakdown: ScoreBreakdown): string {
  const limits = valuesOf(breakdown, ['places', 'limit']);
  const [places, limit] = [limits.get('places'), limits.get('limit')];
  const between = list(valuesOf(breakdown, ['raw', 'cap']));
  if (places !== undefined && limit !== undefined) {
    between.push(`at most ${limit} (${places} ${places === 1 ? 'result' : 'results'})`);
  }
  return componentSection('Difficulty', breakdown.difficulty_components, between, 100);
}

/** Words beyond the first make the whole smaller; what each part contributes is what is left of it. */
function trafficSection(breakdown: ScoreBreakdown): string {
  const values = valuesOf(breakdown, ['rel', 'base', 'words', 'spec']);
  const spec = values.get('spec') ?? 1;
  const pointsOfAll = 100 * (0.35 + 0.65 * spec);
  return componentSection('Traffic', breakdown.traffic_components, list(values), pointsOfAll);
}

function keiSection({ kei, kei_level: keiLevel, is_navigational: isNavigational }: ScoreBreakdown): string {
  if (kei == null) return 'KEI: not known without both scores';
  return `KEI\n  score ${shown(kei)}, level ${keiLevel}${isNavigational ? '; names a brand: at most fair' : ''}`;
}

/** `pointsOfAll`: what all parts together contribute when each of them is 1. */
function componentSection(
  title: string,
  components: readonly ScoreComponent[],
  between: readonly string[],
  pointsOfAll: number,
): string {
  if (components.length === 0) return `${title}: not measured`;
  const rows = components.map(({ name, meaning, weight, value }) => [
    name,
    value == null ? 'unknown' : value.toFixed(3),
    weight.toFixed(3),
    value == null ? '-' : (pointsOfAll * weight * value).toFixed(1),
    meaning,
  ]);
  const table = formatTable(['part', 'value', 'weight', 'points', 'meaning'], rows);
  return `${title}\n${table}${between.length > 0 ? `\n  ${between.join(', ')}` : ''}`;
}

function inputSection({ inputs }: ScoreBreakdown, now: Date): string {
  const rows = inputs.map(({ name, read_at: readAt, source, note }) => [
    name,
    readAt ? age(readAt, now) : '-',
    source || '-',
    note,
  ]);
  return `What was read\n${formatTable(['input', 'age', 'source', 'note'], rows)}`;
}

function appSection({ apps }: ScoreBreakdown, now: Date): string {
  if (apps.length === 0) return 'Apps: none';
  const rows = apps.map((app) => [
    String(app.rank),
    shown(app.ratings),
    app.rating == null ? '-' : app.rating.toFixed(1),
    shown(app.installs),
    app.updated_at ? age(app.updated_at, now) : '-',
    app.evidence.toFixed(2),
    app.title,
  ]);
  const head = ['rank', 'ratings', 'stars', 'installs', 'updated', 'evidence', 'title'];
  return `Apps that were looked at\n${formatTable(head, rows)}`;
}

function probeSection({ probes }: ScoreBreakdown): string {
  if (probes.length === 0) return 'Suggestions: none were looked at';
  const rows = probes.map(({ prefix, index, size }) => [
    `"${prefix}"`,
    String(size),
    index == null ? '-' : String(index + 1),
  ]);
  return `What was typed, and what the store suggests\n${formatTable(['typed', 'suggestions', 'place'], rows)}`;
}

function valuesOf(
  { intermediate_values: intermediateValues }: ScoreBreakdown,
  names: readonly string[],
): Map<string, number> {
  const all = new Map(intermediateValues.map(({ name, value }) => [name, value]));
  return new Map(
    names.flatMap((name) => {
      const value = all.get(name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

function list(values: ReadonlyMap<string, number>): string[] {
  return [...values].map(([name, value]) => `${name} ${trim(value)}`);
}

function shown(value: number | null | undefined): string {
  return value == null ? '-' : value.toLocaleString('en-US');
}

function trim(value: number): string {
  return String(Number(value.toFixed(3)));
}

function moment(at: Date | null): string {
  return at ? `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC` : 'an unknown day';
}

function age(at: Date, now: Date): string {
  const seconds = Math.max(0, (now.getTime() - at.getTime()) / 1000);
  const days = Math.floor(seconds / 86_400);
  return days >= 2 ? `${days.toLocaleString('en-US')} days` : formatDuration(seconds);
}
