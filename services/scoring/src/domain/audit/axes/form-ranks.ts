import type { AuditInput } from '../audit-input.ts';
import { rankOn } from './term-page.ts';

/**
 * By form: the app's best rank on the pages of all terms with it, those of its audit and kept ones. They are computed once per
 * audit and reused for its drafts, so that no word of a draft changes what another term proves.
 * @param kept by form: on kept pages of terms that are not in the audit
 */
export function findFormRanks(
  { terms, candidates }: Pick<AuditInput, 'terms' | 'candidates'>,
  kept: ReadonlyMap<string, number>,
  appId: string,
  formOf: (keyword: string) => string,
): Map<string, number> {
  const ranks = new Map<string, number>(kept);
  for (const scores of candidates ? [terms, candidates] : [terms])
    for (const [keyword, term] of scores) {
      const rank = term?.page ? rankOn(term.page, appId) : null;
      if (rank === null) continue;
      const form = formOf(keyword);
      ranks.set(form, Math.min(rank, ranks.get(form) ?? rank));
    }
  return ranks;
}
