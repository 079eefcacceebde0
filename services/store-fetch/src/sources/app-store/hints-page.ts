import { z } from 'zod';
import { text } from '../field-shapes.ts';
import { malformedAnswer } from '../malformed-answer.ts';
import { StoreFailure } from '../store-failure.ts';
import { parsePlist } from './plist.ts';

/** As many as the search field of the store shows. */
const maxHints = 10;

const term = z.string().trim().pipe(text);
const hintsPage = z.looseObject({ hints: z.array(z.object({ term })) });

/**
 * The suggestions for a prefix, in the store's order, each once, ten at most. Empty is what the store said, which may
 * also be its way to refuse: the caller has to verify it.
 */
export function parseHintsPage(xml: string): string[] {
  const parsed = hintsPage.safeParse(parsePlist(xml));
  if (!parsed.success) throw malformedAnswer(parsed.error);
  const { hints, ...others } = parsed.data;
  if (hints.length === 0) refuseOtherLists(others);
  return [...new Set(hints.map(({ term }) => term))].slice(0, maxHints);
}

/** The store says that there is nothing by a page with an empty list, not by one with two. */
function refuseOtherLists(others: Record<string, unknown>): void {
  const name = Object.keys(others).find((key) => Array.isArray(others[key]));
  if (name === undefined) return;
  throw new StoreFailure(
    'malformed',
    `sent a page whose suggestions (hints) are empty, with ${name} beside them`,
  );
}
