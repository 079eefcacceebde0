import { defineTool } from '../define-tool.ts';

export const listMetadataSimulations = defineTool({
  name: 'list_metadata_simulations',
  title: 'List saved simulations',
  description:
    'Drafts that were scored, the last one first, one row per distinct draft, with its scores and the app’s score at that time (baseline_global). A null app_id: a draft without an app; a null baseline_global: the app’s audit was not shown yet; a null aso_health: too few words could be read. search finds text in the titles. While meta.has_more, call again with page + 1.',
  operation: 'listSimulations',
  effect: 'none',
  readsStore: false,
  defaults: { per_page: 25 },
});
