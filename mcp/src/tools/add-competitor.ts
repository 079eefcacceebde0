import { defineTool } from '../define-tool.ts';

export const addCompetitor = defineTool({
  name: 'add_competitor',
  title: 'Add a competitor',
  description:
    'Adds a competitor to a tracked app and compares their ranks, also on days that were read before. app_id is the own app’s id in Shelfwise, competitor_app_id the rival’s id in the store; store, country and lang are those of the own app. DUPLICATE means that it is there already and names the id. A null title could not be read. Changes what the account tracks: do it only when the user wants it.',
  operation: 'trackCompetitor',
  effect: 'adds',
  readsStore: true,
});
