import { buildPage, buildReading, readAt } from '../../test/build-reading.ts';
import { scoringVersion } from '../domain/scoring-version.ts';
import { toRanking } from './term.ts';
import { toTermScore } from './term-projections.ts';

const score = {
  scoring_version: scoringVersion,
  scored_at: readAt,
  traffic: 50,
  difficulty: 50,
  traffic_parts: null,
  difficulty_parts: null,
  is_partial: false,
  brand: null,
  suspected_brand: null,
  results: 2,
  genres: null,
  search_status: 'searched',
} as const;

test.each([
  ['fewer ids than its page showed', 3, '2026-11-21', true],
  ['all ids of its page', 2, '2026-11-21', undefined],
  ['the ids of another day', 3, '2026-11-20', undefined],
])('a page that is kept with %s', (_what, size, day, isCut) => {
  const ranking = toRanking({ day: '2026-11-21', read_at: readAt, source: 'sample' }, ['1', '2']);
  const reading = buildReading({ page: buildPage([], { size, day }) });
  expect(toTermScore({ score, ranking, reading })?.page?.is_cut).toBe(isCut);
});
