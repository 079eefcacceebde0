import type { AsoReport } from '@shelfwise/proto/scoring/v1/aso_report';
import type { AxisDeltas, AxisScores } from '@shelfwise/proto/scoring/v1/scoring';

/** The scores of a report, by name. */
export function axisScoresOf({ global, tier, axes }: AsoReport): AxisScores {
  const scoreOf = (key: string) => axes.find((axis) => axis.key === key)?.score ?? 0;
  return {
    global,
    coverage: scoreOf('coverage'),
    targeting: scoreOf('targeting'),
    appeal: scoreOf('appeal'),
    tier,
  };
}

/**
 * A draft's scores less the app's: -100 to 100 each. Appeal needs no words; the others are null unless all terms of both
 * sides are known, for a word that is left out on one side only would look like a change.
 */
export function axisDeltas(draft: AxisScores, app: AxisScores, isWhole: boolean): AxisDeltas {
  return {
    global: isWhole ? draft.global - app.global : null,
    coverage: isWhole ? draft.coverage - app.coverage : null,
    targeting: isWhole ? draft.targeting - app.targeting : null,
    appeal: draft.appeal - app.appeal,
  };
}
