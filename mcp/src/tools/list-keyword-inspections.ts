import { defineTool } from '../define-tool.ts';

export const listKeywordInspections = defineTool({
  name: 'list_keyword_inspections',
  title: 'List inspected keywords',
  description:
    'Keywords that the account has inspected, the last one first, with traffic and difficulty as of last_inspected_at; a null there stays null until the keyword is inspected again. Look here before you inspect a keyword again. While meta.has_more, call again with page + 1.',
  operation: 'listInspections',
  effect: 'none',
  readsStore: false,
  defaults: { per_page: 25 },
});
