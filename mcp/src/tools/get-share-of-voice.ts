import { defineTool } from '../define-tool.ts';

export const getShareOfVoice = defineTool({
  name: 'get_share_of_voice',
  title: 'Get the share of voice',
  description:
    'Which share of the clicks on the result pages of one tracked app’s terms each app gets (0 to 1, estimated from ranks and searches): on the newest day (date) the ten largest, the app (is_own) and its competitors (is_competitor), and in history the app and its competitors by day, at most 90 days. Use it to see who owns the app’s searches and whether that moves; list_rank_matrix says for which keywords. basket names those terms that you track, with their weight (0 to 1); terms_read of terms have a recent page. A null share: they have less than 80 % of the searches; 0: on none of the pages. change_7d is null unless both days are known. Shares and others sum to 1.',
  operation: 'getShareOfVoice',
  effect: 'none',
  readsStore: false,
  leavesOut: ['data.apps[].icon'],
  names: { id: 'app_id' },
});
