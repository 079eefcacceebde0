import { createHash } from 'node:crypto';
import { storefrontKey } from '@shelfwise/facts/stores/storefront';
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
 * Identifies a draft: account, app or storefront, the four texts as they are scored, and the context as it was sent
 * (decisions, "Fields not shown"). A text that was left to the app therefore makes another draft once the app's text
 * has changed. The app's own rating, which changes every day, does not. 64 hexadecimal digits.
 */
export function draftFingerprint(simulation: Omit<Simulation, 'texts'>, texts: ListingTexts): string {
  const { app, storefront, context } = simulation;
  const { title, subtitle, description } = texts;
  const subject = app ? app.id : storefrontKey(storefront);
  const sent = contextKeys.filter((key) => context[key] !== undefined).map((key) => [key, context[key]]);
  const parts = [simulation.account_id, subject, title, subtitle, description, texts.kw_field, sent];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
