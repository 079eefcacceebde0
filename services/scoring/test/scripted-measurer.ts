import { createBatches } from '@shelfwise/runtime/concurrency/batches';
import { utcDay } from '@shelfwise/runtime/day';
import { blankReading, type KeywordReading } from '../src/domain/keyword/keyword-reading.ts';
import type { KeywordScore, TrafficParts } from '../src/domain/keyword/keyword-score.ts';
import { scoringVersion } from '../src/domain/scoring-version.ts';
import type { Term } from '../src/stores/term.ts';
import { termId } from '../src/stores/term-filters.ts';
import type { TermStore } from '../src/stores/term-store.ts';
import type { Measurer } from '../src/terms/measurer.ts';

export type ScriptedMeasurer = ReturnType<typeof createScriptedMeasurer>;

/**
 * A measurer without a store: every keyword is searched and easy, unless a test sets another score. Its results are
 * in
 * the real term store.
 */
export function createScriptedMeasurer(
  terms: TermStore,
  now: () => Date,
  onMeasured: (term: Term) => Promise<void>,
) {
  const scores = new Map<string, Partial<KeywordScore>>();
  const measured: string[] = [];
  /** Awaited before each measurement, so that a test can delay or fail it. */
  const hooks = { beforeMeasure: async (_keyword: string, _call: Parameters<Measurer['measure']>[3]) => {} };

  /** Terms that are measured at the same time are saved together. Returns whether they had a score before. */
  const save = createBatches<Term, boolean>({
    maxItems: 100,
    async run(batch) {
      const ids = batch.map(({ _id }) => _id);
      const known = await terms.model
        .find({ _id: { $in: ids }, score: { $ne: null } })
        .select({ _id: 1 })
        .lean();
      await terms.model.bulkWrite(
        batch.map((term) => ({
          updateOne: { filter: { _id: term._id }, update: { $set: term }, upsert: true },
        })),
      );
      const scored = new Set(known.map(({ _id }) => _id));
      return ids.map((id) => scored.has(id));
    },
  });

  const measure: Measurer['measure'] = async (storefront, keyword, _need, call) => {
    measured.push(keyword);
    await hooks.beforeMeasure(keyword, call);
    const term: Term = {
      _id: termId(storefront, keyword),
      ...storefront,
      keyword,
      is_tracked: false,
      ranking: null,
      reading: readingAt(now()),
      score: { ...easyScore(now()), ...scores.get(keyword) },
    };
    const hasScore = await save(term);
    await onMeasured(term);
    return { term, isFirst: !hasScore, staleSince: null, isScheduled: true };
  };

  return {
    measure,
    measured,
    hooks,
    setScore: (keyword: string, score: Partial<KeywordScore>) => scores.set(keyword, score),
  };
}

/** Nothing is dropped: a score without `suggest` is partial. */
export const completeParts: TrafficParts = {
  suggest: 0.5,
  L: 0.5,
  X: 0.5,
  D: 0.5,
  M: 0.5,
  C: 0.5,
  rel: 1,
  relL: 1,
  base: 0.5,
  words: 1,
  spec: 1,
};

function easyScore(scoredAt: Date): KeywordScore {
  return {
    scoring_version: scoringVersion,
    scored_at: scoredAt,
    difficulty: 20,
    traffic: 50,
    difficulty_parts: null,
    traffic_parts: { ...completeParts },
    is_partial: false,
    brand: null,
    suspected_brand: null,
    results: 10,
    search_status: 'searched',
    genres: null,
  };
}

function readingAt(readAt: Date): KeywordReading {
  const page = {
    day: utcDay(readAt),
    read_at: readAt,
    source: 'sample',
    size: 0,
    apps: [],
    details_read_at: readAt,
  };
  return { ...blankReading, page };
}
