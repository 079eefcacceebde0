import { defineTool } from '../define-tool.ts';

export const addNote = defineTool({
  name: 'add_note',
  title: 'Write a note',
  description:
    'Writes a note about a day of a tracked app, such as a campaign or a release of a rival, which the dashboard shows on the charts of the app. date is YYYY-MM-DD, text 1 to 500 characters. Use it when the user says what happened, never for your own guesses.',
  operation: 'addNote',
  effect: 'makes',
  readsStore: false,
  names: { id: 'app_id' },
});
