import { defineTool } from '../define-tool.ts';

export const getMetadataSimulation = defineTool({
  name: 'get_metadata_simulation',
  title: 'Get a saved simulation',
  description:
    'One saved draft with its texts, its context and the full report. Take simulation_id from list_metadata_simulations or from saved.id of simulate_metadata. kw_field_known: false means that the keywords field was unknown, so the score cannot be repeated exactly. Its fields list their words (otherwise null) if the draft was run with include_words. Compare runs of one scoring_version only. A null report: too few words were read at that time, or the run is old; then its scores remain.',
  operation: 'getSimulation',
  effect: 'none',
  readsStore: false,
  names: { id: 'simulation_id' },
  leavesOut: ['data.report.fields[].label'],
});
