import { known, knownOr } from '@shelfwise/dashboard/figure';
import type { ChangedListing, ListingChange, Timeline } from '@shelfwise/dashboard/timeline';
import { daysBefore, utcDay } from '@shelfwise/runtime/day';
import type { z } from 'zod';
import { listChanges } from '../../routes/list-changes.ts';
import { listNotes } from '../../routes/list-notes.ts';
import { toOldestDay } from '../../routes/route/history-window.ts';
import { dataOr, type PageContext, whyFailed } from './page-context.ts';

/** As many as are read at a glance. */
export const shownChanges = '20';
/** The days that charts show at most, and the rows of a page of notes. */
const shownDays = 90;
const shownNotes = '200';
/** The shortest time after which an effect is computed. */
const effectDays = 7;

type Change = z.output<typeof listChanges.data>[number];

/**
 * The changes of an app's listing and, with `withRivals`, of its competitors' in the last days, and what the account noted. Two
 * calls, and one more when competitors fill the list: charts mark own changes. Effects, which take time, are read when a person
 * asks for one.
 */
export async function readTimeline(
  context: PageContext,
  appId: string,
  { withRivals }: { withRivals: boolean },
): Promise<Timeline> {
  const params = { id: appId };
  const from = firstShownDay(context);
  const readChanges = (competitors: boolean) => {
    const query = { competitors: String(competitors), effects: 'false', from, per_page: shownChanges };
    return context.call(listChanges, { params, query });
  };
  const [changes, notes] = await Promise.all([
    readChanges(withRivals),
    context.call(listNotes, { params, query: { per_page: shownNotes } }),
  ]);
  const hasMore = 'meta' in changes && changes.meta.has_more;
  const rows = dataOr(changes, []);
  const own = withRivals && hasMore ? dataOr(await readChanges(false), []) : [];
  const older = own.filter(({ id }) => rows.every((row) => row.id !== id));
  return {
    changes: [...rows, ...older].map((change) => toListingChange(change, utcDay(context.now))),
    hasMore,
    notes: dataOr(notes, []).map(({ id, date, text }) => ({ id: String(id), day: date, text })),
    missing: { changes: whyFailed(changes), notes: whyFailed(notes) },
  };
}

/** The first day that charts show, or the first one of the plan. */
export function firstShownDay({ plan, now }: Pick<PageContext, 'plan' | 'now'>): string {
  const [oldest, first] = [toOldestDay({ plan, now }), daysBefore(utcDay(now), shownDays)];
  return oldest > first ? oldest : first;
}

export function toChangedListing({
  date,
  fields,
  screenshots,
  icon_changed: isOtherIcon,
}: Change): ChangedListing {
  const isOtherPictures = screenshots !== null && screenshots.added + screenshots.removed > 0;
  return {
    day: date,
    fields: fields.map(({ field, before, after, words_added, words_removed }) => ({
      name: field,
      before,
      after,
      added: words_added,
      removed: words_removed,
    })),
    isOtherIcon: isOtherIcon === true,
    screenshots: isOtherPictures
      ? { added: known(screenshots.added), removed: known(screenshots.removed) }
      : null,
  };
}

function toListingChange(change: Change, today: string): ListingChange {
  const { app, date } = change;
  return {
    ...toChangedListing(change),
    id: change.id,
    appName: app.title ?? app.app_id,
    isOwn: app.is_own,
    simulation:
      change.simulation_id === null
        ? null
        : {
            id: String(change.simulation_id),
            predicted: knownOr(change.predicted_delta, 'too_little_read'),
          },
    hasEffect: app.is_own && daysBefore(date, -effectDays) <= today,
  };
}
