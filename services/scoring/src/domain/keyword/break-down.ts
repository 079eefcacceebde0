import type {
  NamedValue,
  ScoreBreakdown,
  ScoreComponent,
  ScoredApp,
  ScoreInput,
} from '@shelfwise/proto/scoring/v1/score_breakdown';
import { nounFor } from '@shelfwise/runtime/noun-for';
import { usedWeights } from '../weights.ts';
import { difficultyWeights } from './difficulty.ts';
import { keiOfScore } from './kei.ts';
import type {
  EmptyLook,
  KeywordReading,
  ResultPage,
  SuggestionMatch,
  SuggestionReading,
} from './keyword-reading.ts';
import type { KeywordScore } from './keyword-score.ts';
import type { ReadTerm } from './score-keyword.ts';
import { isSearchedOrUnknown } from './search-status.ts';
import { isBlank, topResultsOf } from './top-result.ts';
import { trafficWeights } from './traffic.ts';

const difficultyMeanings = {
  A: 'How many ratings (or, on Google Play, installs) the top 10 have; higher places count more.',
  T: 'How well the titles of the top 10 name the keyword.',
  S: 'How many of the top 10 are not weak: an app counts from 100 ratings on, fully from 10,000.',
  Q: 'How well the top 10 are rated; apps with few ratings count less.',
  F: 'How recently the top 10 were updated.',
} as const;

const trafficMeanings = {
  suggest: 'How early the store suggests the keyword while it is typed, and how high in the list.',
  L: 'How many ratings the biggest app of the top 5 has, reduced where the titles do not match the keyword.',
  X: 'How many ratings the biggest app has among those of the top 5 whose title has the keyword.',
  D: 'How many ratings the median app of the top 10 has, reduced where the titles do not match the keyword.',
  M: 'How well the titles of the top 10 name the keyword, reduced when there are fewer than ten results.',
  C: "The share of the top 10 that is in the storefront's overall free chart (top 100).",
} as const;

/**
 * Explains a keyword's scores: every part, intermediate values, inputs with age and source, the first ten apps, and every
 * suggestion probe. Weights are renormalized over the known parts; an unknown one has 0. No parts when the score is unknown, no
 * KEI unless both scores are known.
 * @param term `score` was computed from `reading`
 */
export function breakDown(term: ReadTerm & { score: KeywordScore }): ScoreBreakdown {
  const { storefront, keyword, reading, score } = term;
  const { difficulty, traffic, difficulty_parts: difficultyParts, traffic_parts: trafficParts } = score;
  const isNavigational = score.brand !== null;
  const kei = keiOfScore(score);
  return {
    storefront,
    keyword,
    scoring_version: score.scoring_version,
    scored_at: score.scored_at,
    difficulty,
    traffic,
    kei: kei?.score,
    kei_level: kei?.level,
    kei_reason: kei?.reason ?? undefined,
    is_navigational: isNavigational,
    search_status: score.search_status,
    // Without results there is nothing to add up; `notes` says so.
    difficulty_components:
      difficultyParts && reading.page?.apps.length !== 0
        ? components(difficultyWeights, difficultyParts, { meanings: difficultyMeanings, most: 100 })
        : [],
    traffic_components: trafficParts
      ? components(trafficWeights, trafficParts, {
          meanings: trafficMeanings,
          most: mostTraffic(trafficParts.spec),
        })
      : [],
    intermediate_values: intermediateValues(score, reading.page),
    inputs: inputsOf(reading),
    apps: appsOf(term),
    probes: reading.suggestion?.probes ?? [],
    is_partial: score.is_partial,
    notes: notesOn(score, reading.page),
    is_searched: isSearchedOrUnknown(score),
    rank_date: reading.page?.day,
  };
}

/** traffic = 100 * base * (0.35 + 0.65 * spec): the number of words (`spec`) scales the points of every part. */
function mostTraffic(spec: number): number {
  return 100 * (0.35 + 0.65 * spec);
}

function components<Name extends string>(
  weights: Readonly<Record<Name, number>>,
  values: Readonly<Record<NoInfer<Name>, number | null>>,
  { meanings, most }: { meanings: Readonly<Record<Name, string>>; most: number },
): ScoreComponent[] {
  const used = usedWeights(weights, values);
  return (Object.keys(weights) as Name[]).map((name) => {
    const [meaning, weight, value] = [meanings[name], used[name], values[name]];
    const points = value === null ? null : most * weight * value;
    const maxPoints = most * weight;
    return {
      name,
      meaning,
      weight,
      value,
      points,
      max_points: maxPoints,
      sentence: sentenceOf(meaning, { value, points, maxPoints }),
    };
  });
}

function sentenceOf(
  meaning: string,
  { value, points, maxPoints }: { value: number | null; points: number | null; maxPoints: number },
): string {
  const claim = meaning.slice(0, -1);
  if (value === null || points === null) return `${claim}: not known, so the other parts count more.`;
  return `${claim}: ${value.toFixed(2)} of 1, which adds ${points.toFixed(1)} of at most ${maxPoints.toFixed(1)} points.`;
}

/**
 * The known values between the parts and the scores, named as in docs/scores.md. In addition, `places` is the number of
 * apps in the top 10, and `limit` the maximum difficulty with so few apps.
 */
function intermediateValues(
  { difficulty_parts: difficultyParts, traffic_parts: trafficParts }: KeywordScore,
  page: ResultPage | null,
): NamedValue[] {
  const count = difficultyParts && page ? countResults(page) : null;
  const values = {
    raw: difficultyParts?.raw,
    cap: difficultyParts?.cap,
    places: count,
    limit: count === null ? null : 10 * count,
    rel: trafficParts?.rel,
    relL: trafficParts?.relL,
    base: trafficParts?.base,
    words: trafficParts?.words,
    spec: trafficParts?.spec,
  };
  return Object.entries(values).flatMap(([name, value]) => (value == null ? [] : [{ name, value }]));
}

/** What lowers the difficulty below the sum of its parts. */
function notesOn({ difficulty, difficulty_parts: parts }: KeywordScore, page: ResultPage | null): string[] {
  if (difficulty === null || parts === null || page === null) return [];
  const count = countResults(page);
  if (count === 0) return ['There are no results, so there is no app to beat, and the difficulty is 0.'];
  const { raw, cap } = parts;
  const notes: string[] = [];
  if (cap !== null && raw > cap)
    notes.push(
      `The first app has few ratings, so what is above ${cap.toFixed(1)} counts only as far as the titles name the keyword (T).`,
    );
  if (raw > 10 * count)
    notes.push(`With ${count} ${nounFor(count, 'result')} the difficulty is at most ${10 * count}.`);
  return notes;
}

/** The number of apps in the top 10. */
function countResults({ apps }: ResultPage): number {
  return Math.min(10, apps.length);
}

function inputsOf({ page, suggestion, chart, empty_looks: looks }: KeywordReading): ScoreInput[] {
  return [
    input('result page', page, page && `${resultsOf(page.size)} on ${page.day}${caution(page, suggestion)}`),
    input(
      'app details',
      page && { read_at: page.details_read_at, source: page.source },
      page && appsNote(page),
    ),
    input('suggestions', suggestion, suggestion ? describeMatch(suggestion.match) : describeLooks(looks)),
    input('top chart', chart, chart && describeCharted(chart.charted, Math.min(10, page?.size ?? 0))),
  ];
}

function resultsOf(count: number): string {
  return `${count} ${nounFor(count, 'result')}`;
}

function describeCharted(charted: number, candidates: number): string {
  const among = candidates === 1 ? 'of 1 result' : `of the first ${candidates} results`;
  return `${charted} ${among} ${charted === 1 || candidates === 1 ? 'is' : 'are'} in it`;
}

/** Added if the store suggests the term but shows no results: stores hardly do that, so one reading may be wrong. */
function caution({ apps }: ResultPage, suggestion: SuggestionReading | null): string {
  return apps.length === 0 && suggestion?.match.kind === 'suggested'
    ? '; the store suggests the term but shows no results for it: read with care'
    : '';
}

function appsNote(page: ResultPage): string | null {
  if (page.apps.length === 0) return 'there were no results, so no apps to read';
  if (page.details_read_at === null) return null;
  const details = 'rating counts, installs and dates of the first ten';
  return isBlank(page.apps.slice(0, 10)) ? `${details}: none known` : details;
}

function input(
  name: string,
  reading: { read_at: Date | null; source: string } | null,
  note: string | null | undefined,
): ScoreInput {
  return {
    name,
    read_at: reading?.read_at ?? null,
    source: reading?.source ?? '',
    note: note ?? 'not read',
  };
}

function describeMatch(match: SuggestionMatch): string {
  if (match.kind === 'suggested') {
    return `suggested from "${match.prefix}" on, at place ${match.index + 1} of ${match.size}`;
  }
  if (match.kind === 'begins') {
    return `never suggested itself, but the start of ${match.count} of ${suggestionsOf(match.size)}`;
  }
  return `not among ${suggestionsOf(match.size)}, nor the start of one`;
}

/** Null: there was no look, or none that counts. */
function describeLooks(looks: readonly EmptyLook[]): string | null {
  return looks.length === 0
    ? null
    : 'none at the first look, which counts as not suggested until the second look';
}

function suggestionsOf(count: number): string {
  return `${count} ${nounFor(count, 'suggestion')}`;
}

function appsOf({ storefront, keyword, reading }: ReadTerm): ScoredApp[] {
  if (reading.page === null) return [];
  return topResultsOf(keyword, reading.page, storefront.lang).map((result, index) => ({
    rank: index + 1,
    app_id: result.app_id,
    title: result.title,
    ratings: result.ratings,
    rating: result.rating,
    installs: result.installs,
    updated_at: result.updated_at,
    evidence: result.evidence,
  }));
}
