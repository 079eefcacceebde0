import type { RankKind } from '@shelfwise/facts/alerts/alert-kinds';
import { isSurprisingDrop } from '@shelfwise/facts/alerts/surprising-drop';
import { type Alert, type AlertApp, noEvidence } from './alert.ts';
import { isRankKind } from './alert-kind.ts';
import { type PageChange, rankOn } from './keyword-page.ts';
import {
  hasEnteredTop,
  hasLeftTop,
  isRankDrop,
  isRankRise,
  type RankPair,
  wasOvertaken,
} from './rank-change.ts';
import { isAboutApp, isAboutKeyword, type Rule } from './rule.ts';

/** An account that tracks a keyword for an app. */
export type Tracker = {
  account_id: string;
  keyword_id: number;
  is_favorite: boolean;
  app: AlertApp;
  /** The account's competitors of the app. */
  rivals: readonly AlertApp[];
};

const isNews: Readonly<
  Record<Exclude<RankKind, 'overtaken'>, (ranks: RankPair, threshold: number) => boolean>
> = {
  rank_drop: isRankDrop,
  rank_rise: isRankRise,
  entered_top: hasEnteredTop,
  left_top: hasLeftTop,
};

/** What the rules of an account find in the change of a page, for one of its apps. `rules` may be about anything. */
export function findRankAlerts(
  { keyword, before, after, wasReadTwice }: PageChange,
  tracker: Tracker,
  rules: readonly Rule[],
): Alert[] {
  const { app, rivals } = tracker;
  const ranksOf = ({ app_id: appId }: AlertApp) => ({
    app_id: appId,
    before: rankOn(before, appId),
    after: rankOn(after, appId),
  });
  const own = ranksOf(app);

  function alert(rule: Rule, rival: AlertApp | null): Alert {
    const ranks = rival ? [own, ranksOf(rival)] : [own];
    return {
      ...noEvidence,
      account_id: tracker.account_id,
      rule_id: rule.id,
      kind: rule.kind,
      threshold: rule.threshold,
      app,
      keyword: { id: tracker.keyword_id, text: keyword },
      before: own.before,
      after: own.after,
      day_before: before.day,
      day_after: after.day,
      ranks,
      other_app: rival,
      is_confirmed: isSurprisingDrop(own) ? wasReadTwice : null,
    };
  }

  return rules.flatMap((rule) => {
    const { kind, threshold } = rule;
    if (!isRankKind(kind) || !isAboutApp(rule, app.id) || !isAboutKeyword(rule, tracker)) return [];
    if (kind === 'overtaken')
      return rivals.filter((rival) => wasOvertaken(own, ranksOf(rival))).map((rival) => alert(rule, rival));
    return isNews[kind](own, threshold ?? 0) ? [alert(rule, null)] : [];
  });
}
