import { normalizeKeyword } from '@shelfwise/facts/text/keyword';
import type { AuditInput, TermScore } from './audit-input.ts';

type App = Pick<AuditInput, 'app_id' | 'developer_name'>;

/**
 * Whether a term names the brand of another developer: the first app of its page has another developer than this one. An
 * unknown developer may be the same.
 */
export function isRivalBrand({ brand }: Pick<TermScore, 'brand'>, app: App): boolean {
  if (brand === null || brand.app_id === app.app_id) return false;
  if (brand.developer_name === null || app.developer_name === null) return false;
  return normalizeKeyword(brand.developer_name) !== normalizeKeyword(app.developer_name);
}
