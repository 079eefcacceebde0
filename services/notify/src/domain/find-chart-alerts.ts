import { type ChartKind, chartKinds } from '@shelfwise/facts/alerts/alert-kinds';
import type { ChartKey } from '@shelfwise/facts/stores/chart-key';
import { type Alert, type AlertApp, noEvidence } from './alert.ts';
import type { ChartPage } from './chart-page.ts';
import { rankOn } from './keyword-page.ts';
import { hasEnteredTop, hasLeftTop, type RankPair } from './rank-change.ts';
import { isAboutApp, type Rule } from './rule.ts';

/** A chart on two days that were read, equally deep (`nextChart`). */
export type ChartChange = { chart: ChartKey; before: ChartPage; after: ChartPage };

/** An account that tracks an app of the chart. */
export type ChartTracker = { account_id: string; app: AlertApp };

const isNews: Readonly<Record<ChartKind, (ranks: RankPair, depth: number) => boolean>> = {
  chart_entered: hasEnteredTop,
  chart_left: hasLeftTop,
};

/**
 * What the rules of an account find in the change of a chart, for one of its apps. The places that both days show are compared, at
 * most the threshold. `rules` may be about anything.
 */
export function findChartAlerts(
  { chart, before, after }: ChartChange,
  { account_id, app }: ChartTracker,
  rules: readonly Rule[],
): Alert[] {
  const ranks = { before: rankOn(before, app.app_id), after: rankOn(after, app.app_id) };
  const shown = Math.min(before.app_ids.length, after.app_ids.length);
  return rules.flatMap((rule): Alert[] => {
    const kind = chartKinds.find((one) => one === rule.kind);
    const depth = Math.min(rule.threshold ?? shown, shown);
    if (!kind || !isAboutApp(rule, app.id) || !isNews[kind](ranks, depth)) return [];
    return [
      {
        ...noEvidence,
        account_id,
        rule_id: rule.id,
        kind,
        threshold: rule.threshold,
        app,
        ...ranks,
        day_before: before.day,
        day_after: after.day,
        ranks: [{ app_id: app.app_id, ...ranks }],
        chart: { ...chart, depth },
      },
    ];
  });
}
