import type { AuditContext } from '../../audit-input.ts';
import { ratingOf, screenshotTargets } from '../../axes/appeal.ts';
import type { FlagEvidence, FlagRule } from './flag-rule.ts';

/** Averages: below 3.5 is critical, below 4 a warning. */
const goodRating = 4;
const poorRating = 3.5;
const fewRatings = 50;
const fewScreenshots = 5;
const staleDays = 90;
const abandonedDays = 365;

export const appealFlags: readonly FlagRule[] = [
  {
    code: 'RATING_NONE',
    severity: 'critical',
    title: 'The app has no ratings',
    impact: 'Visitors skip apps without stars, and the store has no ratings to rank the app by.',
    fix: 'Ask users for a rating inside the app, right after it has helped them.',
    findEvidence: ({ input: { context } }) =>
      ratingOf(context) === null && !context.is_rating_unread ? {} : null,
  },
  {
    code: 'RATING_LOW',
    severity: 'critical',
    title: 'The rating is poor',
    impact: 'Most visitors leave when they see fewer than 3.5 stars.',
    fix: 'Read the latest bad reviews, fix what they complain about, and reply to them.',
    findEvidence: ({ input }) => ratingWithin(input.context, 0, poorRating),
  },
  {
    code: 'RATING_LOW',
    severity: 'warning',
    title: 'The rating is below four stars',
    impact: 'Many visitors judge an app by its stars alone and trust it from four stars up.',
    fix: 'Read the latest bad reviews, fix what they complain about, and ask satisfied users for a rating.',
    findEvidence: ({ input }) => ratingWithin(input.context, poorRating, goodRating),
  },
  {
    code: 'RATINGS_FEW',
    severity: 'warning',
    title: 'The app has few ratings',
    impact: 'A few ratings convince no visitor, and every new one changes the average.',
    fix: 'Ask users for a rating inside the app, right after it has helped them.',
    findEvidence: ({ input: { context } }) => {
      const count = context.rating_count;
      return ratingOf(context) !== null && count !== null && count < fewRatings ? { ratings: count } : null;
    },
  },
  {
    code: 'SCREENSHOTS_NONE',
    severity: 'critical',
    title: 'There are no screenshots',
    impact:
      'Screenshots fill most of a search result and of the app’s page: without them, visitors see nothing of the app.',
    fix: 'Show the main features, one in each picture, the most convincing first.',
    findEvidence: ({ input }) => (input.context.screenshots === 0 ? {} : null),
  },
  {
    code: 'SCREENSHOTS_FEW',
    severity: 'warning',
    title: 'There are few screenshots',
    impact: 'Visitors look at pictures before they read anything; there is room for more of them.',
    fix: 'Add pictures of the features that are not shown yet, each with a line that says what it does.',
    findEvidence: ({ input: { context, storefront } }) => {
      const { screenshots } = context;
      const target = screenshotTargets[storefront.store];
      return screenshots !== null && screenshots > 0 && screenshots < fewScreenshots
        ? { screenshots, target }
        : null;
    },
  },
  {
    code: 'LISTING_ABANDONED',
    severity: 'critical',
    title: 'The app has not been updated for more than a year',
    impact: 'The app looks abandoned: visitors and the store prefer apps that are maintained.',
    fix: 'Release an update, however small, and say in its notes what comes next.',
    findEvidence: ({ input }) => daysWithin(input.context, abandonedDays, Number.POSITIVE_INFINITY),
  },
  {
    code: 'LISTING_STALE',
    severity: 'warning',
    title: 'The app has not been updated for more than 90 days',
    impact: 'Recently updated apps are trusted more and rank a little better.',
    fix: 'Release an update; once a month is plenty.',
    findEvidence: ({ input }) => daysWithin(input.context, staleDays, abandonedDays),
  },
  {
    code: 'DESCRIPTION_EMPTY',
    severity: 'warning',
    store: 'ITUNES',
    title: 'There is no description',
    impact: 'The store does not index it, but undecided visitors read it.',
    fix: 'Say in the first three lines what the app does and for whom, then list its features.',
    findEvidence: ({ fields }) =>
      fields.some(({ key, state }) => key === 'description' && state === 'empty') ? {} : null,
  },
  {
    code: 'NO_VIDEO',
    severity: 'info',
    title: 'There is no video',
    impact: 'A video shows in seconds what pictures cannot.',
    fix: 'Add a video of 15 to 30 seconds that shows the app in use from the first second.',
    findEvidence: ({ input }) => (input.context.has_video === false ? {} : null),
  },
  {
    code: 'SINGLE_LANGUAGE',
    severity: 'info',
    title: 'The app is available in one language only',
    impact: 'Visitors who read another language leave, however good the app is.',
    fix: 'Translate the app into the languages of the countries where it is sold.',
    findEvidence: ({ input }) => (input.context.language_count === 1 ? {} : null),
  },
];

/** From `from` (included) to `to` (excluded). */
function ratingWithin(context: AuditContext, from: number, to: number): FlagEvidence | null {
  const rating = ratingOf(context);
  return rating !== null && rating >= from && rating < to ? { rating } : null;
}

/** More than `from` days, at most `to`. */
function daysWithin(context: AuditContext, from: number, to: number): FlagEvidence | null {
  const days = context.days_since_update;
  return days !== null && days > from && days <= to ? { days_since_update: days } : null;
}
