import { createHash } from 'node:crypto';
import { storefrontKey } from '@shelfwise/facts/storefront';
import type { ListingTexts } from '../domain/audit/audit-input.ts';
import type { SentContext } from './check-context.ts';
import type { Simulation } from './check-simulation.ts';

const contextKeys = [
  'rating',
  'rating_count',
  'screenshots',
  'days_since_update',
  'age_months',
  'has_video',
  'language_count',
] as const satisfies readonly (keyof SentContext)[];

/**
 * What makes a draft distinct: account, app or storefront, the four texts as they are scored, and the context as it was
 * sent (decisions, "Fields not shown"). So a text that was left to the app is another draft once the app's has changed,
 * and the app's own rating, which moves every day, makes none. 64 hexadecimal digits.
 */
export function draftFingerprint(
  { account_id: accountId, app, storefront, context }: Omit<Simulation, 'texts'>,
  { title, subtitle, description, kw_field: kwField }: ListingTexts,
): string {
  const place = app ? app.id : storefrontKey(storefront);
  const sent = contextKeys.filter((key) => context[key] !== undefined).map((key) => [key, context[key]]);
  const parts = [accountId, place, title, subtitle, description, kwField, sent];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
