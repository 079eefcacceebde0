import { defineTool } from '../define-tool.ts';

export const listAutocompleteHistory = defineTool({
  name: 'list_autocomplete_history',
  title: 'List past suggestions queries',
  description:
    'Prefixes that the account has asked suggestions for, the last one first, with the number of suggestions. The suggestions themselves come from run_autocomplete. While meta.has_more, call again with page + 1.',
  operation: 'listAutocompletes',
  effect: 'none',
  readsStore: false,
  defaults: { per_page: 25 },
});
