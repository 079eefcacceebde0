import { normalizeKeyword } from '@shelfwise/facts/text/keyword';
import type { AuditInput, TermScore } from '../audit-input.ts';

/**
 * Whose brand a term names: the app's `own`, that of a `rival`, or that of a `suspected` rival. A page of fewer than five
 * results proves no brand. Null: no brand, or its developer may be the app's.
 */
export type BrandRole = 'own' | 'rival' | 'suspected' | null;

/** For a draft without an app every brand is that of a rival. (docs/scores.md, relevance) */
export function brandRoleOf(
  { brand, suspected_brand: suspected }: Pick<TermScore, 'brand' | 'suspected_brand'>,
  app: Pick<AuditInput, 'app_id' | 'developer_name'>,
): BrandRole {
  const named = brand ?? suspected;
  if (named === null) return null;
  const isSameDeveloper = app.app_id === null ? false : hasDeveloperOf(named, app);
  if (isSameDeveloper === null) return null;
  if (isSameDeveloper) return 'own';
  return brand === null ? 'suspected' : 'rival';
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
