import type { ApiClient, CallOptions } from '../api/api-client.ts';
import { getAccountUsage } from '../tools/get-account-usage.ts';
import { getAsoHealth } from '../tools/get-aso-health.ts';
import { listApplications } from '../tools/list-applications.ts';

type Resource = {
  name: string;
  /** with variables as {name}, or without */
  uri: string;
  title: string;
  description: string;
  read(api: ApiClient, variables: Readonly<Record<string, unknown>>, options: CallOptions): Promise<unknown>;
};

/** What a user attaches to a conversation. */
export const resources: readonly Resource[] = [
  {
    name: 'usage',
    uri: 'shelfwise://usage',
    title: 'Usage and limits',
    description: 'What the account has used this month, and what its plan allows.',
    read: async (api, _, options) => (await getAccountUsage.run(api, {}, options)).data,
  },
  {
    name: 'applications',
    uri: 'shelfwise://applications',
    title: 'Tracked apps',
    description: 'Every tracked app with its id, market, rating and ASO Health.',
    read: (api, _, options) => listApplications.run(api, {}, options),
  },
  {
    name: 'listing',
    uri: 'shelfwise://applications/{app_id}/listing',
    title: 'Listing of a tracked app',
    description:
      'Title, full description, rating and version of one tracked app. app_id is its id in Shelfwise.',
    read: (api, variables, options) => listApplications.run(api, variables, options),
  },
  {
    name: 'audit',
    uri: 'shelfwise://applications/{app_id}/audit',
    title: 'Audit of a tracked app',
    description: 'The ASO Health audit of one tracked app with its findings. Costs 1 API request.',
    read: (api, variables, options) => getAsoHealth.run(api, variables, options),
  },
];
