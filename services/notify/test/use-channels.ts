import type {
  AlertDelivery,
  CreateAlertChannelReply,
  CreateAlertChannelRequest,
  CreateAlertRuleRequest,
} from '@shelfwise/proto/notify/v1/notify';
import { type Notify, publisher } from './start-notify.ts';

const anyChannel: CreateAlertChannelRequest = {
  account_id: 'ann',
  type: 'WEBHOOK',
  name: 'My receiver',
  url: 'https://hooks.example.com/x',
  timing: 'INSTANT',
};

const anyRule: CreateAlertRuleRequest = {
  account_id: 'ann',
  kind: 'RANK_DROP',
  threshold: 1,
  keywords: null,
  is_enabled: true,
  channel_ids: [],
};

/** What tests do with channels of a running service. */
export function useChannels(notify: Notify) {
  const { client } = notify;
  const publish = publisher(notify);

  async function create(change: Partial<CreateAlertChannelRequest> = {}) {
    const reply: CreateAlertChannelReply = await client.createAlertChannel({ ...anyChannel, ...change });
    if (!reply.channel) throw new Error('no channel');
    return { ...reply.channel, secret: reply.secret ?? '' };
  }

  /** Without the default rules, each drop of the application gives one alert, for these channels. */
  async function sendDropsTo(channelIds: number[], accountId = 'ann'): Promise<void> {
    const { rules } = await client.listAlertRules({ account_id: accountId, page: 1, per_page: 200 });
    for (const { id } of rules) await client.deleteAlertRule({ account_id: accountId, id });
    await client.createAlertRule({ ...anyRule, account_id: accountId, channel_ids: channelIds });
  }

  async function track(accountId = 'ann', appId = 1): Promise<void> {
    await publish.trackApp({ account_id: accountId });
    await publish.trackKeyword({ account_id: accountId, app_id: appId });
  }

  return {
    create,
    sendDropsTo,
    track,
    ...publish,
    /** Makes one alert of keyword 7 for each day: the rank falls from 3 to 40 on odd days. */
    async drop(day: number): Promise<void> {
      await publish.takePage(day - 1, { 'app-1': 3 });
      await publish.takePage(day, { 'app-1': 40 });
    },
    list: async (accountId = 'ann') =>
      (await client.listAlertChannels({ account_id: accountId, page: 1, per_page: 50 })).channels,
    deliveries: async (channelId: number, accountId = 'ann'): Promise<AlertDelivery[]> =>
      (
        await client.listAlertDeliveries({
          account_id: accountId,
          channel_id: channelId,
          page: 1,
          per_page: 200,
        })
      ).deliveries,
  };
}
