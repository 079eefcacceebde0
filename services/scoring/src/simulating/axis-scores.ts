import type { HealthReport } from '@shelfwise/proto/scoring/v1/report';
import type { AxisDeltas, AxisScores } from '@shelfwise/proto/scoring/v1/scoring';

/** The scores of a report, by name. */
export function axisScoresOf({ global, tier, axes }: HealthReport): AxisScores {
  const scoreOf = (key: string) => axes.find((axis) => axis.key === key)?.score ?? 0;
  return {
    global,
    coverage: scoreOf('coverage'),
    targeting: scoreOf('targeting'),
    appeal: scoreOf('appeal'),
    tier,
  };
}

/** A draft's scores less the stored ones: -100 to 100 each; all null when nothing was ever stored. */
export function axisDeltas(draft: AxisScores, stored: AxisScores | null): AxisDeltas {
  const less = (key: 'global' | 'coverage' | 'targeting' | 'appeal') =>
    stored === null ? null : draft[key] - stored[key];
  return {
    global: less('global'),
    coverage: less('coverage'),
    targeting: less('targeting'),
    appeal: less('appeal'),
  };
}
