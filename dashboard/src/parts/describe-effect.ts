import * as texts from '#texts';
import { formatNumber } from '../text/format.ts';

const words = texts.timeline;

/** A group of keywords as the API answers it. The control has no `moved`. */
export type EffectGroup = {
  keywords: number;
  rank_before: number | null;
  rank_after: number | null;
  moved?: boolean | null;
};

export const groupNames = ['added', 'removed', 'control'] as const;

export type EffectGroups = Record<(typeof groupNames)[number], EffectGroup>;

/** Fewer are not compared. */
const leastKeywords = 3;

/** The groups of a comparison in words, in the order of the columns. */
export function describeGroups(groups: EffectGroups): string[] {
  const isCompared = [groups.added, groups.removed].some(({ keywords }) => keywords >= leastKeywords);
  return groupNames.map((name) => {
    const { keywords, rank_before: before, rank_after: after, moved } = groups[name];
    const count = words.keywords(formatNumber(keywords));
    if (keywords < leastKeywords) return `${count}: ${words.tooFewKeywords}`;
    if (!isCompared) return `${count}: ${words.notCompared}`;
    const ranks = `${count}: ${describeStep(before, after)}`;
    return moved == null ? ranks : `${ranks}, ${moved ? words.moved : words.notMoved}`;
  });
}

/** How many other changes of the app lie within the days that are compared; of each comparison. */
export function describeOthers(windows: readonly { other_changes: readonly string[] }[]): string[] {
  return windows.map(({ other_changes: others }) => words.otherChanges(formatNumber(others.length)));
}

/** A figure before and after, with one decimal: a median has halves. */
export function describeStep(before: number | null, after: number | null): string {
  if (before === null || after === null) return texts.figure.unknown.too_little_read;
  return `${formatNumber(before, 1)} ${texts.becomes} ${formatNumber(after, 1)}`;
}
