import { defineTool } from '../define-tool.ts';

export const cancelJob = defineTool({
  name: 'cancel_job',
  title: 'Cancel a job',
  description:
    'Ends a job of start_job: keywords that have not begun never will; what is tracked stays tracked. already_ended: true means that it had ended before. A null app_id: it inspects. Do it only when the user asks for it.',
  operation: 'cancelJob',
  effect: 'removes',
  readsStore: false,
  names: { id: 'job_id' },
});
