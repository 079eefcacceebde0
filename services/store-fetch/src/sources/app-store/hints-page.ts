import { z } from 'zod';
import { StoreFailure } from '../../store-health/store-failure.ts';
import { text } from '../field-shapes.ts';
import { malformedAnswer } from '../malformed-answer.ts';
import { parsePlist } from './plist.ts';

/** The number that the store's search field shows. */
const maxHints = 10;

const term = z.string().trim().pipe(text);
const hintsPage = z.looseObject({ hints: z.array(z.object({ term })) });

/**
 * The suggestions for a prefix, in the store's order, without duplicates, at most ten. An empty list may also be how
 * the store throttles: the caller must verify it.
 */
export function parseHintsPage(xml: string): string[] {
  const parsed = hintsPage.safeParse(parsePlist(xml));
  if (!parsed.success) throw malformedAnswer(parsed.error);
  const { hints, ...others } = parsed.data;
  if (hints.length === 0) refuseOtherLists(others);
  return [...new Set(hints.map(({ term }) => term))].slice(0, maxHints);
}

/** A page without suggestions has one empty list. An additional list means that the page has changed. */
function refuseOtherLists(others: Record<string, unknown>): void {
  const name = Object.keys(others).find((key) => Array.isArray(others[key]));
  if (name === undefined) return;
  throw new StoreFailure(
    'malformed',
    `sent a page with empty suggestions (hints) and another list (${name})`,
  );
}
