import { defineTool } from '../define-tool.ts';

export const listCompetitors = defineTool({
  name: 'list_competitors',
  title: 'List competitors',
  description:
    'Competitors of the tracked apps (or of the one with app_id), each with rating, number of ratings and the visibility of both apps (app_score, competitor_score) over the same terms; null: not known yet. With app_id the rows also have the competitors’ descriptions. Where a competitor ranks for a keyword: get_keyword_rank_history with app_id = competitor.id. Newest first, at most 1,000: when meta.has_more, give app_id.',
  operation: 'listCompetitors',
  effect: 'none',
  readsStore: false,
  leavesOut: [
    'data[].app.icon',
    'data[].competitor.url',
    'data[].competitor.icon',
    'data[].competitor.screenshots',
  ],
  leavesOutOf: {
    paths: ['data[].competitor.description'],
    when: ({ app_id: appId }) => appId === undefined,
  },
});
