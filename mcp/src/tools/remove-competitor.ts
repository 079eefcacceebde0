import { defineTool } from '../define-tool.ts';

export const removeCompetitor = defineTool({
  name: 'remove_competitor',
  title: 'Remove a competitor',
  description:
    'Removes a competitor from a tracked app. Take relation_id from list_competitors (its id). removed: false means that it was removed before. Do it only when the user asks for it.',
  operation: 'untrackCompetitor',
  effect: 'removes',
  readsStore: false,
  names: { id: 'relation_id' },
});
