import { defineTool } from '../define-tool.ts';

export const getJob = defineTool({
  name: 'get_job',
  title: 'Read a job',
  description:
    'How far a job of start_job is, and its keywords in the order sent, each with its result: tracked as in track_keywords, inspection as in inspect_keyword, or an error with its code. All three null: see state. A null eta: not known. While finished_at is null, ask again in half a minute. 25 keywords a page here: while meta.has_more, call again with page + 1.',
  operation: 'getJob',
  effect: 'none',
  readsStore: false,
  names: { id: 'job_id' },
  defaults: { per_page: 25 },
  leavesOut: ['data.results[].inspection.ranking[].icon', 'data.results[].inspection.related_keywords'],
});
