import type { ChangeEffect } from '@shelfwise/proto/tracking/v1/tracking';
import { daysBefore } from '@shelfwise/runtime/day';
import { invalidParams } from '@shelfwise/runtime/errors';
import type { SearchedForms } from '../domain/field-changes.ts';
import { type DatedChange, otherChanges } from '../domain/other-changes.ts';
import {
  compareRanks,
  type GroupName,
  type Groups,
  groupNames,
  leastKeywords,
  type RanksByDay,
} from '../domain/rank-effect.ts';
import { rankOf } from '../domain/snapshot.ts';
import type { SnapshotStore } from '../stores/snapshot-store.ts';
import type { TrackedAppKey } from '../stores/tracked-app-store.ts';
import type { NamedKeyword, TrackedKeywordStore } from '../stores/tracked-keyword-store.ts';

/** The days before and after a change that are compared. */
const effectDays = [7, 14, 28] as const;

/** The days whose ranks may be compared with changes on these days. */
export function daysAround(days: readonly string[], oldestDay: string): { from: string; to: string } {
  const sorted = days.toSorted();
  const longest = Math.max(...effectDays);
  const from = daysBefore(sorted[0] ?? oldestDay, longest);
  return { from: from < oldestDay ? oldestDay : from, to: daysBefore(sorted.at(-1) ?? oldestDay, -longest) };
}

/** Whether enough days have passed for the shortest comparison. */
export const hasEffect = (day: string, today: string) => daysBefore(day, -effectDays[0]) <= today;

/** Those that a list of keywords by rank sorts at most. */
const maxKeywords = 4000;
/** Of a group: enough for a median, few enough for many changes in one call. */
const maxGroup = 20;
/** The most result pages that a call reads: one per keyword and day. */
const maxPages = 40_000;

export type EffectDeps = {
  trackedKeywords: Pick<TrackedKeywordStore, 'listOfApp'>;
  snapshots: Pick<SnapshotStore, 'readBetween'>;
};

/** A change of the application's own listing; `words` are those of the searched texts. */
export type OwnChange = DatedChange & { words: SearchedForms };

type Comparing = {
  app: TrackedAppKey;
  /** its store identifier */
  appId: string;
  /** `createFormsOf` its language */
  formsOf: (text: string) => readonly string[];
  today: string;
  oldestDay: string;
  /** the changes of the application around those that are compared, newest first */
  around: readonly DatedChange[];
};

/** `forms`: of the words of the keyword. */
type ReadKeyword = NamedKeyword & { forms: readonly string[] };

/** `window`: the days whose ranks are read. */
type Comparison = {
  change: OwnChange;
  days: number[];
  groups: Groups<number>;
  window: { from: string; to: string };
};

/**
 * How the ranks for tracked keywords moved after each change, by the id of the change. Days before `oldestDay` count as unread.
 * Ranks are read only for a change whose words are in three keywords or more.
 *
 * Cost: one query for the keywords, and one for each change whose ranks are read; `maxPages` take up to 3 s of CPU on the
 * embedded database (`readBetween`).
 * @param changes each of them `hasEffect`
 * @throws INVALID_PARAMS for more than `maxPages`
 */
export async function readEffects(
  { trackedKeywords, snapshots }: EffectDeps,
  { app, appId, formsOf, today, oldestDay, around }: Comparing,
  changes: readonly OwnChange[],
  signal: AbortSignal,
): Promise<Map<string, ChangeEffect[]>> {
  const named = await trackedKeywords.listOfApp(app, { skip: 0, limit: maxKeywords });
  // Once for all changes: words of scripts without spaces take long to find.
  const keywords = named.map((row): ReadKeyword => ({ ...row, forms: formsOf(row.keyword) }));
  const comparisons = changes.map((change): Comparison => {
    const days = effectDays.filter((count) => daysBefore(change.day, -count) <= today);
    const longest = Math.max(...days);
    return {
      change,
      days,
      groups: toGroups(keywords, change),
      window: { from: daysBefore(change.day, longest), to: daysBefore(change.day, -longest) },
    };
  });
  checkPages(comparisons);

  const effects = new Map<string, ChangeEffect[]>();
  for (const { change, days, groups, window } of comparisons) {
    const ids = isCompared(groups) ? idsOf(groups) : [];
    const from = window.from < oldestDay ? oldestDay : window.from;
    const ranks = await snapshots.readBetween(ids, { from, to: window.to }, (appIds) => {
      signal.throwIfAborted();
      return rankOf(appIds, appId);
    });
    const readRanks = (id: number): RanksByDay => ranks.get(id) ?? new Map();
    const read = mapGroups(groups, (group) => group.map(readRanks));
    effects.set(
      change.id,
      days.map((count) => ({
        days: count,
        ...compareRanks(read, { day: change.day, days: count }),
        other_changes: otherChanges(around, change, count),
      })),
    );
  }
  return effects;
}

/** The first keywords of each group, in the order of the list: favorites first, then by keyword. */
function toGroups(keywords: readonly ReadKeyword[], { words }: OwnChange): Groups<number> {
  const groups = { added: [] as number[], removed: [] as number[], control: [] as number[] };
  for (const { keyword_id: id, forms } of keywords) {
    const names: GroupName[] = [];
    if (forms.some((form) => words.added.has(form))) names.push('added');
    if (forms.some((form) => words.removed.has(form))) names.push('removed');
    for (const name of names.length > 0 ? names : (['control'] as const))
      if (groups[name].length < maxGroup) groups[name].push(id);
  }
  return groups;
}

function mapGroups<From, To>(
  groups: Groups<From>,
  map: (group: readonly From[]) => readonly To[],
): Groups<To> {
  return { added: map(groups.added), removed: map(groups.removed), control: map(groups.control) };
}

const isCompared = ({ added, removed }: Groups<number>) =>
  added.length >= leastKeywords || removed.length >= leastKeywords;

const idsOf = (groups: Groups<number>) => [...new Set(groupNames.flatMap((name) => groups[name]))];

function checkPages(comparisons: readonly Comparison[]): void {
  const pages = comparisons
    .filter(({ groups }) => isCompared(groups))
    .reduce((sum, { groups, days }) => sum + idsOf(groups).length * 2 * Math.max(...days), 0);
  if (pages > maxPages)
    throw invalidParams({
      per_page: `must be smaller: the ranks after these changes are on ${pages} result pages, more than ${maxPages}`,
    });
}
