import { storefrontKey } from '@shelfwise/facts/stores/storefront';
import { type NewEvent, newEvent } from '@shelfwise/runtime/events/outbox';
import { keiOfScore } from '../domain/keyword/kei.ts';
import type { Term } from '../stores/term.ts';

/**
 * The event of a keyword's scores. Null while it has no score, so that tracking keeps showing the scores that it has.
 */
export function createKeywordScoredEvent(
  { store, country, lang, keyword, reading, score }: Term,
  change: { at: Date; requestId: string },
): NewEvent | null {
  const { page, suggestion } = reading;
  const source = page?.source ?? suggestion?.source;
  if (!score || !source || (score.difficulty === null && score.traffic === null)) return null;
  const storefront = { store, country, lang };
  const { difficulty, traffic } = score;
  const kei = keiOfScore(score);
  return newEvent(
    'scoring.keyword-scored.v1',
    `${storefrontKey(storefront)}:${keyword}`,
    {
      storefront,
      keyword,
      difficulty,
      traffic,
      scoring_version: score.scoring_version,
      scored_at: score.scored_at,
      source,
      is_partial: score.is_partial,
      kei: kei?.score,
      kei_reason: kei?.reason,
      results_on: page && page.size > 0 ? page.day : undefined,
    },
    change,
  );
}
