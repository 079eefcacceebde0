import { type Figure, known, knownOr, unknown } from '@shelfwise/dashboard/figure';
import type { Voice } from '@shelfwise/dashboard/pages/rivals/model';
import type { z } from 'zod';
import type { getVoiceAndRace } from './voice-and-race.ts';

type Data = z.output<typeof getVoiceAndRace.data>;

/** Lines in one picture: the own one and those of the competitors that are compared. */
const maxLines = 6;
/** Fewer terms have no visibility. */
const leastTerms = 5;

/** @param isDrawn whether a competitor, by its store identifier, has a line */
export function toVoice({ voice: data, race }: Data, isDrawn: (appId: string) => boolean): Voice {
  const { history } = data;
  return {
    day: data.date,
    terms: known(data.terms),
    termsRead: known(data.terms_read),
    apps: data.apps.map(({ app_id: appId, title, is_own, is_competitor, share, change_7d: change }) => ({
      appId,
      title,
      mark: is_own ? 'own' : is_competitor ? 'rival' : null,
      share: percent(share),
      change: change === null ? unknown('no_earlier_day') : percent(change),
    })),
    others: percent(data.others),
    days: history.map(({ date }) => date),
    lines: data.apps
      .filter(({ app_id: appId, is_own, is_competitor }) => is_own || (is_competitor && isDrawn(appId)))
      .toSorted((one, other) => Number(other.is_own) - Number(one.is_own))
      .slice(0, maxLines)
      .map(({ app_id: appId, title, is_own: isOwn }) => ({
        appId,
        title,
        isOwn,
        shares: history.map(({ apps }) => percent(apps.find((app) => app.app_id === appId)?.share ?? null)),
        visibilities: history.map(({ terms }, at) =>
          knownOr(race[at]?.[appId] ?? null, terms < leastTerms ? 'too_few_terms' : 'too_little_read'),
        ),
      })),
  };
}

/** A part of 1 as a number of percent, with one decimal. What is less keeps its first digit: it is not 0. */
function percent(share: number | null): Figure {
  if (share === null) return unknown('too_little_read');
  const tenths = Math.round(share * 1000) / 10;
  return known(tenths === 0 ? Number((share * 100).toPrecision(1)) : tenths);
}
