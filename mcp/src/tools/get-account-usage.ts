import { defineTool } from '../define-tool.ts';

export const getAccountUsage = defineTool({
  name: 'get_account_usage',
  title: 'Get usage and limits',
  description:
    'What the account has used this month and what its plan allows; a null limit means that there is none. Look here before a long job: tools that cost an API request stop working at the monthly quota.',
  operation: 'getAccountUsage',
  effect: 'none',
  readsStore: false,
  leavesOut: ['data.export_csv', 'data.export_pdf', 'data.ai_inspections'],
});
