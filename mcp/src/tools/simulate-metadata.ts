import { defineTool } from '../define-tool.ts';

export const simulateMetadata = defineTool({
  name: 'simulate_metadata',
  title: 'Score a draft listing',
  description:
    'Scores a draft as the audit would. With app_id, texts that are not given are the app’s own, and delta compares with its listing: give only what you change, because an empty text is scored as empty. With kw_field, while that of the app is unknown, delta compares with an empty one (delta_basis). Without app_id, store, country and lang are required, missing texts count as empty, and only coverage is worth comparing. A null score or delta: too few words are read yet, or there is no audit; notes say why and when to run it again. Unread phrases are left out; delta_bounds says what they could change. include_words adds every word, which is long. Compare runs of one scoring_version only. The terms with verdicts: get_metadata_simulation with saved.id. Counts as one simulation of the month and is saved; nothing is written to a store.',
  operation: 'simulateMetadata',
  effect: 'none',
  readsStore: true,
  leavesOutOf: {
    paths: ['data.listing.description'],
    when: ({ description }) => description === undefined,
  },
});
