import { defineTool } from '../define-tool.ts';

export const endShareLink = defineTool({
  name: 'end_share_link',
  title: 'End a share link',
  description:
    'Ends a link that shows a tracked app; its page is gone at once. Take link_id from list_share_links (its id). ended: false means that it had ended before. Do it only when the user asks for it.',
  operation: 'endShareLink',
  effect: 'removes',
  readsStore: false,
  names: { id: 'app_id' },
});
