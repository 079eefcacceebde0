import { defineTool } from '../define-tool.ts';

export const getAsoHealth = defineTool({
  name: 'get_aso_health',
  title: 'Audit a tracked app’s listing',
  description:
    'The ASO Health audit of a tracked app: an overall score and the axes coverage (words of the listing that people search for), targeting (whether its terms can be won by an app of this size) and appeal (rating, screenshots, freshness), each field, the terms with a verdict (reachable, ambitious, out-of-reach) and its reason, rank, relevance to the app (0 to 1), points won and lost, findings with a fix and searched words to add, best first, and in timeline the overall scores of earlier releases. Start here to improve a listing, then try drafts with simulate_metadata. include_words adds every word of every field, which is long. A null report means: not audited yet (pending says how many words are read: wait until list_applications, which is free, shows aso_health), not a score of zero. A null traffic, difficulty or relevance means: not measured.',
  operation: 'getAsoHealth',
  effect: 'none',
  readsStore: false,
  names: { id: 'app_id' },
  leavesOut: ['data.report.fields[].label', 'data.pending.fields[].label'],
});
