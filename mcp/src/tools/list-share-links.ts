import { defineTool } from '../define-tool.ts';

export const listShareLinks = defineTool({
  name: 'list_share_links',
  title: 'List share links',
  description:
    'The links that show a tracked app to people without a key, valid now, newest first: label and the day on which each ends. Their addresses are not stored; create_share_link shows one once.',
  operation: 'listShareLinks',
  effect: 'none',
  readsStore: false,
  names: { id: 'app_id' },
});
