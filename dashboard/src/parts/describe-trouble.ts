import * as texts from '#texts';
import type { Frame, StoreTrouble } from '../page-data.ts';
import { formatDay, formatTime } from '../text/format.ts';

const words = texts.trouble;

/** Since when a store cannot be read as usual, of when the ranks are, and when it is tried again: in sentences. */
export function describeTrouble(
  { store, blockedSince, nextTryAt }: StoreTrouble,
  rankDays: Frame['rankDays'],
): string[] {
  if (store === 'unknown') return [words.unknown];
  if (blockedSince === null) return [words.unsteady(texts.storeSubject[store])];
  return [
    words.blocked(texts.storeSubject[store], formatTime(blockedSince)),
    ...(rankDays ? [words.rankDays(formatDay(rankDays.oldest), formatDay(rankDays.newest))] : []),
    nextTryAt === null ? words.nextCall : words.nextTry(formatTime(nextTryAt)),
  ];
}
