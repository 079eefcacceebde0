import { defineTool } from '../define-tool.ts';

export const startJob = defineTool({
  name: 'start_job',
  title: 'Track or inspect many keywords',
  description:
    'Tracks or inspects up to 1,000 keywords in the background; for up to 20 use track_keywords, for a few inspect_keyword. kind says which: to track needs app_id alone, to inspect store, country and lang. Each inspection spends an API request when it begins, and one inspection of the month as inspect_keyword does; tracking spends none. It takes minutes: read it with get_job, by its id. A null eta: not known yet. Each call makes another job, five open at most. Do it only when the user wants it.',
  operation: 'createJob',
  effect: 'makes',
  readsStore: true,
});
