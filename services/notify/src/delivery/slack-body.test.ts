import type { StoredAlert } from '../stores/alert-store.ts';
import { slackBody } from './slack-body.ts';

const drop: StoredAlert = {
  id: 1,
  at: new Date('2026-03-10T09:00:00Z'),
  account_id: 'ann',
  rule_id: 1,
  kind: 'rank_drop',
  threshold: 5,
  app: { id: 1, app_id: '1001', title: 'Planner' },
  keyword: { id: 7, text: 'day planner' },
  before: 3,
  after: 40,
  day_before: '2026-03-08',
  day_after: '2026-03-10',
  ranks: [],
  other_app: null,
  fields: [],
  is_confirmed: null,
  unread_keywords: null,
  store: null,
  channel: null,
  chart: null,
};

const textOf = (alerts: StoredAlert[]): string =>
  JSON.parse(slackBody({ name: 'Team', is_test: false, digest: null, alerts })).text;
const titled = (title: string): StoredAlert => ({ ...drop, app: { id: 1, app_id: '1001', title } });

test('an alert is a line of plain text, without markup and previews of links', () => {
  const body = JSON.parse(
    slackBody({ name: 'Team', is_test: false, digest: null, alerts: [drop, titled('Other')] }),
  );
  expect(body).toEqual({
    text: [
      'Planner fell for “day planner”: from rank 3 to rank 40 between 2026-03-08 and 2026-03-10.',
      'Other fell for “day planner”: from rank 3 to rank 40 between 2026-03-08 and 2026-03-10.',
    ].join('\n'),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
  });
});

test('a test names the channel', () => {
  const { text } = JSON.parse(slackBody({ name: 'Team <!here>', is_test: true, digest: null, alerts: [] }));
  expect(text).toBe('This is a test of the channel “Team &lt;!here&gt;”. Alerts of Shelfwise come here.');
});

/** As a person sees it: the separator has no width, and Slack decodes three entities. */
const shown = (text: string) =>
  text.replaceAll('\u200B', '').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

test.each([
  ['<!channel> <@U123> <https://evil.example|Open>', /<|>/],
  ['@everyone @here', /@(everyone|here)/],
  ['[Open](https://evil.example)', /\]\(|https:\/\//],
  ['evil.example कि.example i❤.ws 1.example', /\.\p{L}/u],
  ['*bold* _italic_ ~gone~ `code` ||hidden||', /\*b|_i|~g|`c|\|\|/],
  ['A &lt;b&gt; B', /&lt;/],
  ['# Head', /^# /m],
])('the title %s is shown as it is and has no effect', (title, effect) => {
  const text = textOf([titled(title)]);
  if (title.includes('&lt;')) expect(text).toContain('&amp;lt;');
  else expect(text).not.toMatch(effect);
  expect(shown(text)).toContain(`${title} fell for`);
});

test('a title cannot begin a new line', () => {
  const text = textOf([titled('Planner\r\nAn alert of another app\u2028\u0000.')]);
  expect(text.split('\n')).toHaveLength(1);
  expect(text).toContain('Planner An alert of another app . fell for');
});

test('a text is never longer than Discord takes, and says how many alerts are left out', () => {
  const text = textOf(Array.from({ length: 100 }, () => titled('&'.repeat(50))));
  expect(text.length).toBeLessThan(2000);
  const left = Number(/… and (\d+) more in the feed\.$/.exec(text)?.[1]);
  expect(left + text.split('\n').length - 1).toBe(100);
});
