import type { ScoredTerm, ScoreTermsRequest, TermOutcome } from '@shelfwise/proto/scoring/v1/scoring';
import { AppError } from '@shelfwise/runtime/errors';
import type { CallOptions } from '@shelfwise/runtime/grpc/grpc-types';
import type { TermScorer } from '../src/analysis/score-candidates.ts';
import { scoringVersion } from '../src/domain/scoring-version.ts';
import { keiAsSpecified } from './build-niche-term.ts';
import { untilAborted } from './fake-store-fetch.ts';

export type FakeScoring = ReturnType<typeof createFakeScoring>;

/**
 * Scripted scoring. By default people search for every term, and terms with the same first two words share their ten
 * results; the last two are the first ones of every page of the fake store. A term that was read once is known
 * afterwards.
 */
export function createFakeScoring(now: () => Date) {
  const known = new Map<string, ScoredTerm>();
  const scores = new Map<string, Partial<ScoredTerm>>();
  const requests: ScoreTermsRequest[] = [];
  const calls: CallOptions[] = [];
  const origin = { source: 'sample', isSuggesting: true };
  /** Resolves before each reply to a read; a test can delay it. */
  const hooks = { beforeAnswer: async (_keywords: readonly string[]): Promise<void> => {} };
  /** Why a term cannot be read; null: it can be read. */
  const refusal = { of: (_keyword: string): string | null => null };
  const down = { failure: null as AppError | null };

  function read(keyword: string): TermOutcome {
    const message = refusal.of(keyword);
    if (message !== null)
      return { keyword, outcome: { $case: 'failure', value: { code: 'STORE_FETCH_FAILED', message } } };
    const suggestionsReadAt = origin.isSuggesting ? now() : null;
    const of = { source: origin.source, suggestions_read_at: suggestionsReadAt };
    const term = withKei({ ...fakeTerm(keyword, now()), ...of, ...scores.get(keyword) });
    known.set(keyword, term);
    return { keyword, outcome: { $case: 'scored', value: term } };
  }

  function lookUp(keyword: string): TermOutcome {
    const term = known.get(keyword);
    return { keyword, outcome: term ? { $case: 'scored', value: term } : null };
  }

  const client: TermScorer = {
    async scoreTerms(request, call) {
      requests.push(request);
      calls.push(call);
      if (!request.known_only) await untilAborted(hooks.beforeAnswer(request.keywords), call.signal);
      if (down.failure) throw down.failure;
      return { outcomes: request.keywords.map(request.known_only ? lookUp : read) };
    },
  };

  return {
    client,
    requests,
    calls,
    known,
    hooks,
    refusal,
    down,
    origin,
    setScore: (keyword: string, score: Partial<ScoredTerm>) => scores.set(keyword, score),
    /** The terms of all requests to read, in order. */
    requestedTerms: () =>
      requests.filter((request) => !request.known_only).flatMap(({ keywords }) => keywords),
    goDown: () => {
      down.failure = new AppError('SERVICE_UNAVAILABLE', 'The scoring service cannot be reached. Try again.');
    },
  };
}

/** As scoring does: it has a KEI if it has both scores. */
function withKei(term: ScoredTerm): ScoredTerm {
  const { traffic, difficulty } = term;
  return { ...term, kei: traffic == null || difficulty == null ? null : keiAsSpecified(traffic, difficulty) };
}

function fakeTerm(keyword: string, readAt: Date): ScoredTerm {
  const family = keyword.split(' ').slice(0, 2).join(' ');
  return {
    difficulty: 40,
    traffic: 30,
    search_status: 'searched',
    is_navigational: false,
    read_at: readAt,
    scored_at: readAt,
    source: 'sample',
    scoring_version: scoringVersion,
    suggestions_read_at: readAt,
    is_partial: false,
    is_second_look_due: false,
    top: Array.from({ length: 10 }, (_, index) => ({
      app_id: index < 8 ? `${family}.${index + 1}` : `app.${index - 7}`,
      title: `${family} ${index + 1}`,
      genre_key: '6007',
      ratings: 1200,
      updated_at: readAt,
    })),
  };
}

/** `count` terms with the same first word; every ten of them share their results. */
export function familyTerms(word: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${word} kind${Math.floor(index / 10)} term${index}`);
}
