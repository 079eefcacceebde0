import type { SimulationRun } from '@shelfwise/proto/scoring/v1/scoring';
import type { RunRow } from '../stores/simulation-run-store.ts';

/** A kept run as lists and the full record show it. */
export function toSimulationRun(run: RunRow): SimulationRun {
  const { _id: id, store, country, lang, title } = run;
  const { edited } = run;
  return {
    id,
    app_id: run.app_id,
    storefront: { store, country, lang },
    title,
    aso_health: run.aso_health,
    baseline_global: run.baseline_global,
    edited,
    runs_count: run.runs_count,
    last_run_at: run.last_run_at,
  };
}
