import { createWrittenPart, keyOf, readableText, type TextUnit, unitsOf } from './text-units.ts';

export type Phrase<Rule extends string> = {
  /**
   * The words. A `*` at the end stands for any ending of the last word. A `^` at the start matches only at the start of the
   * text.
   */
  text: string;
  /** What the phrase violates; null: nothing, and phrases inside it are not found either ("best" in "best friend"). */
  rule: Rule | null;
};

/**
 * By rule: the phrases found in a text, as written there, each once (in any letter case, width or composition; `keyOf`), in order.
 * A rule without a match is absent.
 */
export type FoundPhrases<Rule extends string> = ReadonlyMap<Rule, readonly string[]>;

/** A node of the prefix tree of all phrases: the units that lead to it begin a phrase, or are one. */
type Branch<Rule extends string> = {
  /** by the key of the next unit */
  next: Map<string, Branch<Rule>>;
  /** Phrases whose last unit begins with `start` (the form with `*`). */
  beginnings: { start: string; rule: Rule | null }[];
  /** Rules of the phrases that end here. */
  rules: Set<Rule | null>;
  /** The same for phrases that count only at the start of a text (the form with `^`). */
  openingRules: Set<Rule | null>;
};

/**
 * Searches for many phrases in one pass, as whole words, in any letter case. The time is linear in the text's length:
 * from each word, it reads at most as many words as the longest phrase has.
 * @returns a function that finds the phrases in the first `max` UTF-16 units of a text
 */
export function createPhraseFinder<Rule extends string>(
  phrases: readonly Phrase<Rule>[],
): (text: string, max: number) => FoundPhrases<Rule> {
  const root = createBranch<Rule>();
  for (const phrase of phrases) addPhrase(root, phrase);

  return (text, max) => {
    const read = readableText(text, max);
    const units = unitsOf(read);
    const found = new Map<Rule, Map<string, Match>>();
    // By rule: the unit after its last match.
    const matchedUntil = new Map<Rule, number>();
    let from = 0;
    while (from < units.length) {
      const ends = endsFrom(root, units, from);
      const harmlessEnd = ends.get(null) ?? from;
      for (const [rule, end] of ends) {
        // Skipped inside a harmless phrase ("hands-free") or inside a longer match ("free" in "ad-free").
        if (rule === null || end <= harmlessEnd || end <= (matchedUntil.get(rule) ?? 0)) continue;
        matchedUntil.set(rule, end);
        addMatch(found, rule, read, { start: units[from]?.start ?? 0, end: units[end - 1]?.end ?? 0 });
      }
      from = Math.max(harmlessEnd, from + 1);
    }
    if (found.size === 0) return new Map();
    const writtenPart = createWrittenPart(text, max);
    return new Map(
      [...found].map(([rule, matches]) => [
        rule,
        Array.from(matches.values(), ({ start, end }) => writtenPart(start, end)),
      ]),
    );
  };
}

function createBranch<Rule extends string>(): Branch<Rule> {
  return { next: new Map(), beginnings: [], rules: new Set(), openingRules: new Set() };
}

function addPhrase<Rule extends string>(root: Branch<Rule>, { text, rule }: Phrase<Rule>): void {
  const units = unitsOf(readableText(text, text.length));
  const last = text.endsWith('*') ? units.pop() : undefined;
  let branch = root;
  for (const { key } of units) {
    const next = branch.next.get(key) ?? createBranch<Rule>();
    branch.next.set(key, next);
    branch = next;
  }
  if (last) branch.beginnings.push({ start: last.key, rule });
  else if (text.startsWith('^')) branch.openingRules.add(rule);
  else branch.rules.add(rule);
}

/** By rule: the index after the longest phrase that starts at unit `from`. */
function endsFrom<Rule extends string>(
  root: Branch<Rule>,
  units: readonly TextUnit[],
  from: number,
): Map<Rule | null, number> {
  const ends = new Map<Rule | null, number>();
  let branch: Branch<Rule> | undefined = root;
  for (let at = from; branch && at < units.length; at++) {
    const unit = units[at];
    if (!unit || (at > from && !unit.isJoined)) break;
    for (const { start, rule } of branch.beginnings) if (unit.key.startsWith(start)) ends.set(rule, at + 1);
    branch = branch.next.get(unit.key);
    for (const rule of branch?.rules ?? []) ends.set(rule, at + 1);
    if (from === 0) for (const rule of branch?.openingRules ?? []) ends.set(rule, at + 1);
  }
  return ends;
}

/** Offsets in the readable text. */
type Match = { readonly start: number; readonly end: number };

function addMatch<Rule extends string>(
  found: Map<Rule, Map<string, Match>>,
  rule: Rule,
  read: string,
  match: Match,
): void {
  const matches = found.get(rule) ?? new Map<string, Match>();
  const key = keyOf(read.slice(match.start, match.end));
  if (!matches.has(key)) matches.set(key, match);
  found.set(rule, matches);
}
