import { defineTool } from '../define-tool.ts';

export const searchApps = defineTool({
  name: 'search_apps',
  title: 'Search a store for apps',
  description:
    'The first 20 apps that a store shows for a term (a name, or what the app is about), in the store’s order, with the app_id that add_application and add_competitor take. Use it to find an app; inspect_keyword says who ranks for a term, and how hard that is. is_tracked says whether the account tracks the app in this market. A null could not be read; Google Play shows no number of ratings there. An empty list means that the store shows none, which was checked; a store that cannot be read is an error.',
  operation: 'searchApps',
  effect: 'none',
  readsStore: true,
  leavesOut: ['data[].icon'],
});
