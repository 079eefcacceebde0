import { quotaStep } from '@shelfwise/facts/alerts/alert-kinds';

/** A smaller quota has no marks: nearly every request would be one. */
const smallestQuota = 100;
/** Marks that are known; further accounts push the oldest out. */
const maxAccounts = 10_000;
/** After a report that failed. */
const retryAfterMs = 60_000;

/** The quota of an account in a UTC month. */
export type MonthQuota = { accountId: string; month: string; cap: number };

/** What a report says: see `ReportQuotaUse` of notify. */
export type QuotaReport = { accountId: string; percent: number; percentBefore: number; at: Date };

/** How far the use of a quota is, as the database says. `reported`: the percent of the last report; 0: none. */
export type QuotaState = { spent: number; reported: number };

type Known = {
  month: string;
  cap: number;
  /** The uses at the next mark. */
  nextMark: number;
  /** Set when a report failed: the next use after this time reports again. */
  retryAt: Date | null;
};

/**
 * The marks of monthly quotas, each 5 percent. A use that reaches one is reported. Uses are counted together up to the next known mark
 * and one by one there, so that only the uses at a mark cost anything. An account that this process does not know is taken to be
 * below the first mark: its count is refused when it is not, and then known.
 */
export function createQuotaMarks(report: (report: QuotaReport) => Promise<void>) {
  const known = new Map<string, Known>();
  const reporting = new Set<string>();

  function remember(accountId: string, state: Known): void {
    known.delete(accountId);
    known.set(accountId, state);
    const [oldest] = known.keys();
    if (known.size > maxAccounts && oldest !== undefined) known.delete(oldest);
  }

  const ofMonth = ({ accountId, month, cap }: MonthQuota): Known | null => {
    const state = known.get(accountId);
    return state?.month === month && state.cap === cap ? state : null;
  };

  return {
    /** How many uses of the month may be counted without a look at marks; 0: none. */
    countedTogether(quota: MonthQuota, at: Date): number {
      const { cap } = quota;
      if (cap < smallestQuota) return cap;
      const state = ofMonth(quota);
      if (!state) return usesAt(quotaStep, cap) - 1;
      if (state.retryAt && at >= state.retryAt) return 0;
      return Math.min(cap, state.nextMark - 1);
    },

    /**
     * A use was counted alone, or refused because the quota is used up. Returns the percent that was reported now, when the report has
     * arrived; null: there was none, or it failed and is repeated with a use after a minute.
     */
    async counted(quota: MonthQuota, { spent, reported }: QuotaState, at: Date): Promise<number | null> {
      const { accountId, month, cap } = quota;
      if (cap < smallestQuota) return null;
      // After a change to a smaller plan more may be spent than there is.
      const percent = Math.min(100, Math.floor((spent * 100) / cap / quotaStep) * quotaStep);
      const nextMark = percent >= 100 ? Number.POSITIVE_INFINITY : usesAt(percent + quotaStep, cap);
      remember(accountId, { month, cap, nextMark, retryAt: null });
      const key = `${accountId} ${month} ${cap} ${percent}`;
      if (percent <= reported || reporting.has(key)) return null;
      reporting.add(key);
      try {
        await report({ accountId, percent, percentBefore: reported, at });
        return percent;
      } catch {
        const state = ofMonth(quota);
        if (state) state.retryAt = new Date(at.getTime() + retryAfterMs);
        return null;
      } finally {
        reporting.delete(key);
      }
    },
  };
}

/** The smallest number of uses that is this percent. */
function usesAt(percent: number, cap: number): number {
  return Math.ceil((cap * percent) / 100);
}
