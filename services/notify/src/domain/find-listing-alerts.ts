import { type Alert, type AlertApp, type AlertField, noEvidence } from './alert.ts';
import { isRatingDrop, type KeptListing } from './listing-change.ts';
import { isAboutApp, type Rule } from './rule.ts';

/** An account that tracks the changed app, or has it as a competitor of its application. */
export type ListingTracker = {
  account_id: string;
  /** The application of the account. */
  app: AlertApp;
  /** Whether the changed app is the application itself. */
  is_own: boolean;
};

/** A listing in two readings. */
export type ListingChange = {
  /** null: nothing is known of the listing before */
  before: KeptListing | null;
  /** As read: a rating that could not be read is null. */
  after: KeptListing;
  /** See `changedFields`. */
  fields: AlertField[];
};

/** What the rules of an account find in the change of a listing. `rules` may be about anything. */
export function findListingAlerts(
  { before, after, fields }: ListingChange,
  tracker: ListingTracker,
  rules: readonly Rule[],
): Alert[] {
  const { app, is_own: isOwn } = tracker;
  const changedApp = { id: after.id, app_id: after.app_id, title: after.title };
  const alert = (rule: Rule) => ({
    ...noEvidence,
    account_id: tracker.account_id,
    rule_id: rule.id,
    kind: rule.kind,
    threshold: rule.threshold,
    app,
    day_after: after.day,
    other_app: isOwn ? null : changedApp,
  });

  return rules.flatMap((rule): Alert[] => {
    if (!isAboutApp(rule, app.id)) return [];
    if (rule.kind === 'listing_changed' && fields.length > 0)
      return [{ ...alert(rule), day_before: before?.day ?? null, fields }];
    if (rule.kind !== 'rating_drop' || !isOwn || before === null) return [];
    if (!isRatingDrop(before.score, after.score, rule.threshold ?? 0)) return [];
    const { score, score_day: scoreDay } = before;
    return [{ ...alert(rule), before: score, after: after.score, day_before: scoreDay }];
  });
}
