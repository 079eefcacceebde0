import { defineTool } from '../define-tool.ts';

export const runAutocomplete = defineTool({
  name: 'run_autocomplete',
  title: 'Read a store’s suggestions',
  description:
    'What the store’s search field suggests for the beginning of a term, in the store’s order: what people really type. Good for finding candidates, which inspect_keyword then measures. An empty list means that the store suggests nothing for it, which was checked; a store that cannot be read is an error. Counts as one query of the month.',
  operation: 'runAutocomplete',
  effect: 'none',
  readsStore: true,
});
