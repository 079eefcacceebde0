import { defineTool } from '../define-tool.ts';

export const listNotes = defineTool({
  name: 'list_notes',
  title: 'List notes',
  description:
    'Notes about days of a tracked app, the latest day first. Read them before you explain why ranks moved. While meta.has_more, call again with page + 1.',
  operation: 'listNotes',
  effect: 'none',
  readsStore: false,
  names: { id: 'app_id' },
  defaults: { per_page: 25 },
});
