import type { AlertKind } from '@shelfwise/facts/alerts/alert-kinds';

/** The tracked keywords that a rule of ranks looks at: all, favorites, or those with these ids. */
export type KeywordScope = 'all' | 'favorites' | readonly number[];

/** What an account wants to be notified of. */
export type Rule = {
  id: number;
  account_id: string;
  kind: AlertKind;
  /** internal app id of the application; null: every one that the account tracks */
  app_id: number | null;
  /** See `thresholds`; null for a kind without one. */
  threshold: number | null;
  keywords: KeywordScope;
};

export function isAboutApp({ app_id: appId }: Pick<Rule, 'app_id'>, listingId: number): boolean {
  return appId === null || appId === listingId;
}

export function isAboutKeyword(
  { keywords }: Pick<Rule, 'keywords'>,
  tracked: { keyword_id: number; is_favorite: boolean },
): boolean {
  if (keywords === 'all') return true;
  return keywords === 'favorites' ? tracked.is_favorite : keywords.includes(tracked.keyword_id);
}
