import { normalizeKeyword } from '@shelfwise/facts/text/keyword';
import type { AuditInput, TermScore } from './audit-input.ts';

/**
 * Whose brand a term names: the app's `own`, that of a `rival`, or that of a `suspected` rival, because a page of fewer than
 * five results proves no brand. Null: no brand, or its developer may be the app's.
 */
export type BrandRole = 'own' | 'rival' | 'suspected' | null;

/** Fewer results only suspect a brand. */
const fewResults = 5;

/** Whether a term names a brand for certain. */
export function isNavigational({ brand, page }: Pick<TermScore, 'brand' | 'page'>): boolean {
  return brand !== null && (page === null || page.app_ids.length >= fewResults);
}

/** For a draft without an app every brand is that of a rival. (docs/scores.md, relevance) */
export function brandRoleOf(
  term: Pick<TermScore, 'brand' | 'page'>,
  app: Pick<AuditInput, 'app_id' | 'developer_name'>,
): BrandRole {
  const { brand } = term;
  if (brand === null) return null;
  const isSameDeveloper = app.app_id === null ? false : hasDeveloperOf(brand, app);
  if (isSameDeveloper === null) return null;
  if (isSameDeveloper) return 'own';
  return isNavigational(term) ? 'rival' : 'suspected';
}

/** Null: one of the developers is unknown. */
function hasDeveloperOf(
  brand: NonNullable<TermScore['brand']>,
  app: Pick<AuditInput, 'app_id' | 'developer_name'>,
): boolean | null {
  if (brand.app_id === app.app_id) return true;
  if (brand.developer_name === null || app.developer_name === null) return null;
  return normalizeKeyword(brand.developer_name) === normalizeKeyword(app.developer_name);
}
