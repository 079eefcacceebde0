import { defineTool } from '../define-tool.ts';

export const removeNote = defineTool({
  name: 'remove_note',
  title: 'Remove a note',
  description:
    'Removes a note about a tracked app; note_id comes from list_notes. already_removed: true means that there was none. Do it only when the user asks for it.',
  operation: 'removeNote',
  effect: 'removes',
  readsStore: false,
  names: { id: 'app_id' },
});
