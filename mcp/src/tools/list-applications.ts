import { defineTool } from '../define-tool.ts';

export const listApplications = defineTool({
  name: 'list_applications',
  title: 'List tracked apps',
  description:
    'Apps that the account tracks, each with its id in Shelfwise (`id`, which other tools call app_id), store, country, language, rating, number of tracked keywords and ASO Health. One app in three countries is three rows with three ids. Call it first. With app_id the one row also has its full description, for reading or rewriting the listing. aso_health is null until the first audit is complete (wait here for it: this tool is free), and a null score or ratings means that the store has not shown any: not zero. unlisted_since says since when the store no longer lists the app; its data are then those of before. Newest first, at most 1,000: when meta.has_more, give app_id.',
  operation: 'listApplications',
  effect: 'none',
  readsStore: false,
  leavesOut: ['data[].url', 'data[].icon', 'data[].screenshots'],
  leavesOutOf: { paths: ['data[].description'], when: ({ app_id: appId }) => appId === undefined },
});
