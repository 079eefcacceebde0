import { z } from 'zod';
import { unlikeShape } from './garbage.ts';
import { text } from './itunes-row.ts';
import { parsePlist } from './plist.ts';

/** As many as the search field of the store shows. */
const maxHints = 10;

const hintsPage = z.object({ hints: z.array(z.object({ term: text })) });

/**
 * The suggestions for a prefix, in the store's order, ten at most. Empty is what the store said, which may also be
 * its way to refuse: whether to believe it is for the caller to find out.
 */
export function parseHintsPage(xml: string): string[] {
  const parsed = hintsPage.safeParse(parsePlist(xml));
  if (!parsed.success) throw unlikeShape(parsed.error);
  return parsed.data.hints.slice(0, maxHints).map(({ term }) => term);
}
