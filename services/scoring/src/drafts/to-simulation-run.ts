import type { SimulationRun } from '@shelfwise/proto/scoring/v1/scoring';
import type { RunRow } from '../stores/simulation-run-store.ts';

export function toSimulationRun(run: RunRow): SimulationRun {
  const { store, country, lang } = run;
  return {
    id: run._id,
    app_id: run.app_id,
    storefront: { store, country, lang },
    title: run.title,
    aso_health: run.aso_health,
    baseline_global: run.baseline_global,
    edited: run.edited,
    runs_count: run.runs_count,
    last_run_at: run.last_run_at,
    delta_global: run.delta?.global ?? null,
    scoring_version: run.scoring_version,
  };
}
