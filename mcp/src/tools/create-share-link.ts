import { defineTool } from '../define-tool.ts';

export const createShareLink = defineTool({
  name: 'create_share_link',
  title: 'Make a share link',
  description:
    'Makes an address at which everyone who has it sees the ranks, visibility and rank distribution of a tracked app, for 1 to 90 days. It cannot be read again: give it to the user at once. Each call makes another one, at most 20. It opens data to people without an account: do it only when the user asks for it.',
  operation: 'createShareLink',
  effect: 'makes',
  readsStore: false,
  names: { id: 'app_id' },
});
