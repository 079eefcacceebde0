import type { Storefront } from '@shelfwise/facts/storefront';
import { isUpstreamFailure } from '@shelfwise/runtime/errors';
import { createFailureStreak } from '@shelfwise/runtime/failure-streak';
import type { CallOptions } from '@shelfwise/runtime/grpc-types';
import type { Sleep } from '@shelfwise/runtime/jobs/sleep';
import { mapLimited } from '@shelfwise/runtime/map-limited';
import type { TermScore } from '../domain/audit/audit-input.ts';
import type { Importance } from '../domain/importance.ts';
import { scoringVersion } from '../domain/scoring-version.ts';
import { weekMs } from '../domain/week.ts';
import type { Measurer } from '../measuring/measurer.ts';
import type { TermStore } from '../stores/term-store.ts';
import { toWeighedTerm, type WeighedTerm } from '../stores/weighed-term.ts';
import { withPatience } from './with-patience.ts';

const termsAtOnce = 8;

/** The terms of a draft as far as they are known. */
export type ProbedTerms = {
  /** By normal form; one that is not in it could not be read in time. */
  scores: ReadonlyMap<string, TermScore>;
  /** How many of them are weighed: enough was read of each to tell whether it is searched. */
  weighed: number;
  /** How many are not: the scores leave them out. */
  pending: number;
  /** Of those that are weighed, how many were read from the store for the first time. */
  fetched: number;
  /** When the oldest reading was made that stands in for one that could not be made now; null: none does. */
  staleSince: Date | null;
};

/** A term as far as it is known, before the store is asked and after. */
type Probed = {
  keyword: string;
  importance: Importance;
  term: WeighedTerm | null;
  isFirst: boolean;
  /** Nothing of it is missing or too old. */
  isSettled: boolean;
  staleSince: Date | null;
};

export type TermProbe = ReturnType<typeof createTermProbe>;

/** Looks terms up, and has those measured that are not known or too old, in the time that a call has. */
export function createTermProbe(deps: {
  terms: Pick<TermStore, 'findWeighed' | 'want'>;
  measurer: Measurer;
  now: () => Date;
  sleep: Sleep;
}) {
  const { terms, measurer, now, sleep } = deps;

  async function look(storefront: Storefront, wanted: readonly Wanted[]): Promise<Probed[]> {
    const known = await terms.findWeighed(
      storefront,
      wanted.map(({ keyword }) => keyword),
    );
    return wanted.map(({ keyword, importance }) => {
      const term = known.get(keyword) ?? null;
      const isSettled = term !== null && isFresh(term, now());
      return { keyword, importance, term, isFirst: false, isSettled, staleSince: null };
    });
  }

  /** In the order of the terms. What could not be measured stays as it was; that alone is no failure of the call. */
  async function measureAll(
    storefront: Storefront,
    looked: readonly Probed[],
    call: CallOptions & { signal: AbortSignal },
  ): Promise<Probed[]> {
    const failures = createFailureStreak();
    return mapLimited(looked, termsAtOnce, async (probed) => {
      if (probed.isSettled || failures.isTripped() || call.signal.aborted) return probed;
      const need = { page: 'week', isAwaited: true } as const;
      const turn = failures.nextAttemptNumber();
      try {
        const measured = await measurer.measure(storefront, probed.keyword, need, call);
        const term = toWeighedTerm(measured.term);
        // An old page may stand in for one that the store did not give.
        const isSettled = term !== null && isFresh(term, now());
        if (!isSettled) failures.add(turn);
        return { ...probed, ...measured, term, isSettled };
      } catch (error) {
        if (call.signal.aborted) return probed;
        if (!isUpstreamFailure(error)) throw error;
        failures.add(turn);
        return probed;
      }
    });
  }

  /** What was not measured is measured by the daily run, so that a later call finds it. */
  async function wantRest(storefront: Storefront, probed: readonly Probed[]): Promise<void> {
    const rest = probed.filter(({ isSettled }) => !isSettled);
    if (rest.length === 0) return;
    const at = now();
    const wanted = rest.map(({ keyword, importance }) => ({ keyword, importance, isDaily: false }));
    await terms.want(storefront, wanted, new Date(at.getTime() + weekMs), at);
  }

  return {
    /**
     * `wanted`: normal forms, the most important first. A store that is down or slow fails nothing: what it did not
     * answer is left out, and counted.
     */
    async probe(storefront: Storefront, wanted: readonly Wanted[], call: CallOptions): Promise<ProbedTerms> {
      const looked = await look(storefront, wanted);
      const probed = looked.every(({ isSettled }) => isSettled)
        ? looked
        : await withPatience(call, sleep, (patient) => measureAll(storefront, looked, patient));
      await wantRest(storefront, probed);
      return summarize(probed, now());
    },
  };
}

type Wanted = { keyword: string; importance: Importance };

/** Suggestions that are missing or too old are left to the daily run: a word can be weighed without. */
function isFresh(term: WeighedTerm, now: Date): boolean {
  const isNew = (moment: Date | null) => moment !== null && !isOld(moment, now);
  return term.scoring_version === scoringVersion && isNew(term.read_at) && isNew(term.details_read_at);
}

function isOld(moment: Date, now: Date): boolean {
  return now.getTime() - moment.getTime() >= weekMs;
}

function summarize(probed: readonly Probed[], now: Date): ProbedTerms {
  const scores = new Map<string, TermScore>();
  for (const { keyword, term } of probed) if (term) scores.set(keyword, term.score);
  const weighed = probed.filter(({ term }) => term && term.score.search_status !== 'pending');
  const stale = weighed.flatMap((one) => staleReadings(one, now).map((moment) => moment.getTime()));
  return {
    scores,
    weighed: weighed.length,
    pending: probed.length - weighed.length,
    fetched: weighed.filter(({ isFirst }) => isFirst).length,
    staleSince: stale.length === 0 ? null : new Date(Math.min(...stale)),
  };
}

/** The moments of the readings that stand in for newer ones. */
function staleReadings({ staleSince, term }: Probed, now: Date): Date[] {
  const old = [term?.read_at, term?.details_read_at].filter((moment) => moment != null && isOld(moment, now));
  return [staleSince, ...old].filter((moment) => moment != null);
}
