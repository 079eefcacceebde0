import { defineTool } from '../define-tool.ts';

export const setKeywordFavorite = defineTool({
  name: 'set_keyword_favorite',
  title: 'Mark a keyword as favorite',
  description:
    'Marks a tracked keyword of one app as favorite, or takes the mark away. list_keywords shows favorites first and alone with favorites: true.',
  operation: 'setKeywordFavorite',
  effect: 'sets',
  readsStore: false,
  names: { id: 'keyword_id' },
});
