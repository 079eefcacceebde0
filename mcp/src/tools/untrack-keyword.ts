import { defineTool } from '../define-tool.ts';

export const untrackKeyword = defineTool({
  name: 'untrack_keyword',
  title: 'Stop tracking a keyword',
  description:
    'Stops tracking a keyword for one app; its history stays and track_keywords brings it back. Take keyword_id and app_id from list_keywords. already_removed: true means that it was not tracked. Do it only when the user asks for it.',
  operation: 'untrackKeyword',
  effect: 'removes',
  readsStore: false,
  names: { id: 'keyword_id' },
});
