import { maxConfirmationMails } from '@shelfwise/facts/alerts/alert-channels';
import { codeOf, countCodes } from '../../../testing/call-within.ts';
import { until } from '../../../testing/until.ts';
import { createSmtpHarness, type ReceivedMail, type TestSmtp } from './smtp-server.ts';
import { allAlerts, createHarness, listingOf, untilIdle } from './start-notify.ts';
import { useChannels } from './use-channels.ts';

const { startNotify } = createHarness();
const { startSmtp } = createSmtpHarness();

const secondMs = 1000;
const hourMs = 3_600_000;
const update = { rotates_secret: false };
const byMail = { type: 'EMAIL', url: 'mailto:ann@example.com' } as const;

/** ann has a channel by mail that waits for its confirmation; each drop is one alert for it. */
async function start(options: { smtp?: TestSmtp; mailTimeoutMs?: number } = {}) {
  const smtp = options.smtp ?? (await startSmtp());
  const notify = await startNotify({ mail: smtp.mail, mailTimeoutMs: options.mailTimeoutMs });
  const channels = useChannels(notify);
  await channels.track();
  const channel = await channels.create(byMail);
  await channels.sendDropsTo([channel.id]);
  const { client } = notify;
  const confirm = (mail = smtp.mails.at(-1)) => client.confirmAlertChannel({ token: tokenIn(mail) });
  return { smtp, notify, channel, confirm, ...notify, ...channels };
}

const urlIn = (mail: ReceivedMail | undefined, path: string): string =>
  new RegExp(`https://aso\\.example\\.com/mail/${path}/\\S+`).exec(mail?.text ?? '')?.[0] ?? '';
const tokenIn = (mail: ReceivedMail | undefined, path = 'confirm'): string =>
  urlIn(mail, path).split('/').at(-1) ?? '';

test('an address gets one mail, and nothing else until its owner has used the link, once', async () => {
  const { smtp, channel, confirm, drop, list, clock, client } = await start();
  expect(channel).toMatchObject({
    type: 'EMAIL',
    host: 'example.com',
    url_end: '.com',
    is_confirmed: false,
    off_reason: 'UNCONFIRMED',
    secret: '',
  });
  expect(smtp.mails.map(({ from, to }) => [from, to])).toEqual([
    ['alerts@aso.example.com', ['ann@example.com']],
  ]);
  expect(smtp.mails[0]?.headers['list-unsubscribe']).toBeUndefined();
  await drop(3);
  clock.advance(12 * hourMs);
  await untilIdle(clock);
  expect(smtp.mails).toHaveLength(1);
  await codeOf(client.testAlertChannel({ account_id: 'ann', id: channel.id }));
  expect(smtp.mails).toHaveLength(1);

  expect(await confirm()).toEqual({ is_confirmed: true });
  expect((await list())[0]).toMatchObject({ is_confirmed: true, off_reason: null });
  expect(await confirm()).toEqual({ is_confirmed: false });
  await drop(5);
  await untilIdle(clock);
  expect(smtp.mails).toHaveLength(2);
  // What was found before is in the feed only.
  expect(smtp.mails[1]?.text).toContain('2026-03-05');
  expect(smtp.mails[1]?.text).not.toContain('2026-03-03');
});

test('a link is good for a day, and only the last one', async () => {
  const { smtp, confirm, channel, client, clock } = await start();
  const askAgain = () =>
    client.updateAlertChannel({ account_id: 'ann', id: channel.id, is_enabled: true, ...update });
  expect((await askAgain()).channel).toMatchObject({ is_confirmed: false, off_reason: 'UNCONFIRMED' });
  expect(await confirm(smtp.mails[0])).toEqual({ is_confirmed: false });
  clock.advance(24 * hourMs);
  expect(await confirm(smtp.mails[1])).toEqual({ is_confirmed: false });
  await askAgain();
  expect(await confirm()).toEqual({ is_confirmed: true });
  for (const token of ['', '1', `sw_mail_1-${'x'.repeat(43)}`, `sw_mail_999-${'x'.repeat(43)}`])
    expect(await client.confirmAlertChannel({ token })).toEqual({ is_confirmed: false });
});

test('of calls that change the address at the same time, a link that was mailed to one address confirms no other', async () => {
  const { smtp, channel, client, confirm, list } = await start();
  const moveTo = (address: string) =>
    client.updateAlertChannel({ account_id: 'ann', id: channel.id, url: `mailto:${address}`, ...update });
  await Promise.allSettled(['bob@example.org', 'eve@example.net', 'eve@example.net'].map(moveTo));
  const host = (await list())[0]?.host;
  const others = smtp.mails.filter(({ to }) => !to[0]?.endsWith(`@${host}`));
  expect(others.length).toBeGreaterThan(0);
  for (const mail of others) expect(await confirm(mail)).toEqual({ is_confirmed: false });
  expect((await list())[0]).toMatchObject({ host, is_confirmed: false, off_reason: 'UNCONFIRMED' });
});

test('a channel whose address is not confirmed sends nothing, whatever its state says', async () => {
  const { smtp, channel, connection, drop, clock, deliveries } = await start();
  await connection
    .collection('alert_channels')
    .updateOne({ _id: channel.id as never }, { $set: { off_reason: null, due_at: clock.at } });
  await drop(3);
  await untilIdle(clock);
  expect((await deliveries(channel.id))[0]).toMatchObject({
    state: 'WAITING',
    failure: 'The mail address is not confirmed.',
  });
  expect(smtp.mails).toHaveLength(1);
});

test('tokens and addresses are in no collection as text', async () => {
  const { smtp, confirm, connection, drop, clock } = await start();
  const secretIn = (token: string) => token.replace(/^sw_mail_\d+-/, '');
  const texts = [secretIn(tokenIn(smtp.mails[0])), 'ann@example.com'];
  await confirm();
  await drop(3);
  await untilIdle(clock);
  texts.push(secretIn(tokenIn(smtp.mails[1], 'unsubscribe')));
  expect(texts[2]).toHaveLength(43);
  for (const { name } of await connection.listCollections()) {
    const rows = JSON.stringify(await connection.collection(name).find({}).toArray());
    expect([name, texts.filter((text) => rows.includes(text))]).toEqual([name, []]);
  }
});

test('no mailbox is flooded: an account asks five times an hour, a mailbox is asked three times a day by all accounts', async () => {
  const { smtp, create, clock } = await start();
  const { ofAccount, toAddress } = maxConfirmationMails;
  const spellings = ['Ann@Example.com', 'ann+1@example.com', 'a.nn@example.com', 'ANN+a+b@example.com'];
  const sameAddress = spellings.map((address, index) =>
    create({ ...byMail, account_id: `account${index}`, url: `mailto:${address}` }),
  );
  expect(await countCodes(sameAddress)).toEqual({ OK: toAddress - 1, PLAN_LIMIT: 5 - toAddress });
  const ofAnn = Array.from({ length: 6 }, (_, index) =>
    create({ ...byMail, url: `mailto:ann${index}@example.com` }),
  );
  expect(await countCodes(ofAnn)).toEqual({ OK: ofAccount - 1, PLAN_LIMIT: 7 - ofAccount });
  expect(smtp.mails).toHaveLength(toAddress + ofAccount - 1);
  clock.moveTo('2026-03-10T10:00:00Z');
  expect(await codeOf(create({ ...byMail, url: 'mailto:other@example.com' }))).toBe('OK');
  expect(await codeOf(create(byMail))).toBe('PLAN_LIMIT');
  clock.moveTo('2026-03-11T00:00:00Z');
  expect(await codeOf(create(byMail))).toBe('OK');
});

test('a new address must be confirmed, and the link in mails to the old one ends nothing', async () => {
  const { smtp, confirm, channel, client, drop, clock, list } = await start();
  await confirm();
  await drop(3);
  await untilIdle(clock);
  const old = tokenIn(smtp.mails[1], 'unsubscribe');
  const moved = await client.updateAlertChannel({
    account_id: 'ann',
    id: channel.id,
    url: 'mailto:bob@example.org',
    ...update,
  });
  expect(moved.channel).toMatchObject({
    host: 'example.org',
    is_confirmed: false,
    off_reason: 'UNCONFIRMED',
  });
  await drop(5);
  await untilIdle(clock);
  expect(smtp.mails.map(({ to }) => to[0])).toEqual([
    'ann@example.com',
    'ann@example.com',
    'bob@example.org',
  ]);
  await confirm();
  expect(await client.unsubscribeAlertChannel({ token: old })).toEqual({ is_known: false });
  expect((await list())[0]).toMatchObject({ is_confirmed: true, off_reason: null });
});

test('a new address whose mail cannot be sent leaves the channel as it was, and uses up nothing of the address', async () => {
  const { smtp, confirm, channel, client, drop, clock, list } = await start();
  await confirm();
  const before = (await list())[0];
  const moveTo = (address: string) =>
    client.updateAlertChannel({
      account_id: 'ann',
      id: channel.id,
      name: 'Moved',
      url: `mailto:${address}`,
      ...update,
    });
  smtp.answers.data = 451;
  for (let attempt = 0; attempt < maxConfirmationMails.toAddress; attempt += 1)
    expect(await codeOf(moveTo('bob@example.org'))).toBe('SERVICE_UNAVAILABLE');
  expect((await list())[0]).toEqual(before);
  smtp.answers.data = null;
  await drop(3);
  await untilIdle(clock);
  expect(smtp.mails.at(-1)).toMatchObject({ to: ['ann@example.com'], text: expect.stringContaining('fell') });
  expect((await moveTo('bob@example.org')).channel).toMatchObject({
    name: 'Moved',
    host: 'example.org',
    is_confirmed: false,
  });
  expect(await confirm()).toEqual({ is_confirmed: true });
});

test('an address that the server does not know counts, so that no one finds out addresses by asking', async () => {
  const { smtp, create } = await start();
  smtp.answers.rcpt = 550;
  smtp.answers.reason = '5.1.1 no such user';
  const ask = () => create({ ...byMail, account_id: 'bob', url: 'mailto:eve@example.net' });
  for (let attempt = 0; attempt < maxConfirmationMails.toAddress; attempt += 1)
    expect(await codeOf(ask())).toBe('INVALID_PARAMS');
  expect(await codeOf(ask())).toBe('PLAN_LIMIT');
});

test('the address that a channel has is not asked again, nor is a new one while the channel is turned off', async () => {
  const { smtp, confirm, channel, client, list } = await start();
  await confirm();
  const change = (changes: { url?: string; is_enabled?: boolean }) =>
    client.updateAlertChannel({ account_id: 'ann', id: channel.id, ...changes, ...update });
  expect((await change({ url: byMail.url })).channel).toMatchObject({ is_confirmed: true, off_reason: null });
  const moved = await change({ url: 'mailto:bob@example.org', is_enabled: false });
  expect(moved.channel).toMatchObject({ host: 'example.org', is_confirmed: false, off_reason: 'ACCOUNT' });
  expect(smtp.mails).toHaveLength(1);
  await change({ is_enabled: true });
  expect(smtp.mails[1]?.to).toEqual(['bob@example.org']);
  await confirm();
  expect((await list())[0]).toMatchObject({ is_confirmed: true, off_reason: null });
});

test('a channel that is turned off before its address is confirmed stays off: its link ends, and turning it on asks again', async () => {
  const { smtp, confirm, channel, client, list, drop, clock } = await start();
  const turn = async (isEnabled: boolean) =>
    (
      await client.updateAlertChannel({
        account_id: 'ann',
        id: channel.id,
        is_enabled: isEnabled,
        ...update,
      })
    ).channel;
  const off = { is_confirmed: false, off_reason: 'ACCOUNT' };
  expect(await turn(false)).toMatchObject(off);
  expect(await confirm()).toEqual({ is_confirmed: false });
  expect(await turn(false)).toMatchObject({ ...off, off_at: (await list())[0]?.off_at });
  await drop(3);
  await untilIdle(clock);
  expect(smtp.mails).toHaveLength(1);
  expect(await turn(true)).toMatchObject({ is_confirmed: false, off_reason: 'UNCONFIRMED' });
  expect(await confirm()).toEqual({ is_confirmed: true });
  expect((await list())[0]).toMatchObject({ is_confirmed: true, off_reason: null });

  // What its reader has said since stays the reason.
  await drop(5);
  await untilIdle(clock);
  const token = tokenIn(smtp.mails.at(-1), 'unsubscribe');
  await client.unsubscribeAlertChannel({ token });
  await turn(true);
  await client.unsubscribeAlertChannel({ token });
  expect(await turn(false)).toMatchObject({ is_confirmed: false, off_reason: 'UNSUBSCRIBED' });
  expect(await confirm()).toEqual({ is_confirmed: false });
});

test.each([
  'ann@example.com',
  'mailto:ann@example.com,bob@example.com',
  'mailto:ann@example.com\r\nBcc: b@example.com',
])('the address %j is refused, and no mail is sent', async (url) => {
  const { smtp, create } = await start();
  expect(await codeOf(create({ ...byMail, url }))).toBe('INVALID_PARAMS');
  expect(await codeOf(create({ url: 'mailto:ann@example.com' }))).toBe('INVALID_PARAMS');
  expect(smtp.mails).toHaveLength(1);
});

test('without settings of mail such a channel is refused with what to set, and webhooks work', async () => {
  const notify = await startNotify();
  const { create } = useChannels(notify);
  await expect(create(byMail)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: expect.stringContaining('SMTP_URL, MAIL_FROM, PUBLIC_URL'),
  });
  expect(await codeOf(create())).toBe('OK');
  expect(await notify.server.checks['deliveries']?.()).toMatchObject({
    detail: expect.stringContaining('none by mail, because SMTP_URL'),
  });
});

test('an address that the server does not know is refused at creation, and no channel is left', async () => {
  const smtp = await startSmtp();
  const notify = await startNotify({ mail: smtp.mail });
  const { create, list } = useChannels(notify);
  smtp.answers.rcpt = 550;
  smtp.answers.reason = '5.1.1 no such user';
  expect(await codeOf(create(byMail))).toBe('INVALID_PARAMS');
  smtp.answers.rcpt = 451;
  expect(await codeOf(create(byMail))).toBe('SERVICE_UNAVAILABLE');
  expect(await list()).toEqual([]);
});

test('a mail says the same as text and as HTML, and neither loads or runs anything of the store', async () => {
  const {
    smtp,
    confirm,
    changeListing,
    trackCompetitor,
    takePage,
    clock,
    create,
    sendDropsTo,
    client,
    setFavorite,
  } = await start();
  await setFavorite();
  await confirm();
  const title =
    'Evil <img src=x onerror=1> & "q" \r\nBcc: eve@example.com \u202E https://evil.example/ www.evil.example';
  await changeListing(['title'], listingOf(1, { title, revision: 9, day: '2026-03-02' }));
  await trackCompetitor();
  const { id } = await create({
    ...byMail,
    name: 'Team\r\nBcc: eve@example.com <b>',
    url: 'mailto:b@example.com',
  });
  await confirm();
  await sendDropsTo([id]);
  await takePage(8, { 'app-1': 3 });
  await takePage(9, { 'app-1': 40 });
  await untilIdle(clock);
  const mail = smtp.mails.at(-1) as ReceivedMail;
  expect(mail.to).toEqual(['b@example.com']);
  expect(mail.headers).toMatchObject({
    'auto-submitted': 'auto-generated',
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
  });
  expect(mail.headers['list-unsubscribe']).toBe(`<${urlIn(mail, 'unsubscribe')}>`);
  expect(Object.keys(mail.headers)).not.toContain('bcc');
  expect(mail.source).not.toMatch(/^bcc:/im);
  // The same words: the HTML without its marks is the text without its own.
  const words = (text: string) =>
    text
      .replace(/^ {2}- /gm, '')
      .split(/\s+/)
      .filter(Boolean)
      .join(' ');
  const shown = mail.html
    .replace(/<title>.*<\/title>/, '')
    .replace(/<\/?(p|li|ul|h2)\b[^>]*>/g, ' ')
    .replace(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
  expect(words(shown)).toBe(words(mail.text));
  expect(mail.html).not.toMatch(/<(img|script|style|link|b|iframe)\b|url\(/i);
  expect(mail.text).not.toContain('https://evil');
  expect(mail.text).not.toContain('evil.example');
  expect(mail.text).not.toContain('\u202E');
  for (const fact of [
    'rank 3 on 2026-03-08',
    'rank 40 on 2026-03-09',
    'read once only',
    'Threshold of the rule: 1',
  ])
    expect(mail.text).toContain(fact);
  const hrefs = [...mail.html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
  expect(hrefs).toEqual(['https://aso.example.com/dashboard/alerts', urlIn(mail, 'unsubscribe')]);
  expect((await client.listAlerts(allAlerts)).total).toBe(1);
});

test('unsubscribing ends the channel and says so in the feed; turned on, the address is asked again', async () => {
  const { smtp, confirm, client, channel, drop, list, clock } = await start();
  await confirm();
  await drop(3);
  await untilIdle(clock);
  const token = tokenIn(smtp.mails[1], 'unsubscribe');
  expect(await client.unsubscribeAlertChannel({ token: `${token.slice(0, -1)}!` })).toEqual({
    is_known: false,
  });
  for (let click = 0; click < 2; click += 1)
    expect(await client.unsubscribeAlertChannel({ token })).toEqual({ is_known: true });
  expect((await list())[0]).toMatchObject({ off_reason: 'UNSUBSCRIBED', is_confirmed: false });
  const { alerts } = await client.listAlerts({ ...allAlerts, kind: 'CHANNEL_OFF' });
  expect(alerts).toMatchObject([
    {
      evidence: { off_reason: 'UNSUBSCRIBED', channel_id: channel.id },
      text: expect.stringContaining('has unsubscribed'),
    },
  ]);
  await drop(5);
  await untilIdle(clock);
  expect(await codeOf(client.testAlertChannel({ account_id: 'ann', id: channel.id }))).toBe('INVALID_PARAMS');
  expect(smtp.mails).toHaveLength(2);
  await client.updateAlertChannel({ account_id: 'ann', id: channel.id, is_enabled: true, ...update });
  expect(urlIn(smtp.mails[2], 'confirm')).not.toBe('');
  expect((await list())[0]?.off_reason).not.toBeNull();
  await confirm();
  expect((await list())[0]).toMatchObject({ off_reason: null, is_confirmed: true });
});

test('a crash between unsubscribing and saying so: another click says it, once', async () => {
  const { smtp, confirm, client, drop, clock, connection } = await start();
  await confirm();
  await drop(3);
  await untilIdle(clock);
  const token = tokenIn(smtp.mails[1], 'unsubscribe');
  await client.unsubscribeAlertChannel({ token });
  await connection.collection('alerts').deleteMany({ kind: 'channel_off' });
  clock.advance(24 * hourMs);
  for (let click = 0; click < 2; click += 1) await client.unsubscribeAlertChannel({ token });
  const { alerts } = await client.listAlerts({ ...allAlerts, kind: 'CHANNEL_OFF' });
  expect(alerts).toMatchObject([{ evidence: { day_after: '2026-03-10' } }]);
});

test.each([
  '5.7.1 relaying denied',
  // Exim and many lists of senders give no code of RFC 3463.
  'relay not permitted',
  '5.1.8 bad sender address',
])(
  'a server that does not trust the sender refuses every address: that ends no channel (%s)',
  async (reason) => {
    const { smtp, confirm, drop, list, clock } = await start();
    await confirm();
    smtp.answers.rcpt = 550;
    smtp.answers.reason = reason;
    await drop(3);
    await untilIdle(clock);
    expect((await list())[0]).toMatchObject({ off_reason: null, failing_since: clock.at });
    smtp.answers.rcpt = null;
    clock.advance(5 * secondMs);
    await untilIdle(clock);
    expect((await list())[0]).toMatchObject({ failing_since: null });
  },
);

test('4xx is tried again with the same Message-ID; an address that the server does not know ends the channel', async () => {
  const { smtp, confirm, drop, list, clock, deliveries, channel } = await start();
  await confirm();
  smtp.answers.data = 451;
  await drop(3);
  await untilIdle(clock);
  const [waiting] = await deliveries(channel.id);
  expect(waiting).toMatchObject({ state: 'WAITING', status: 451, failure: expect.stringContaining('451') });
  smtp.answers.data = null;
  clock.advance(5 * secondMs);
  await untilIdle(clock);
  expect(smtp.mails.at(-1)?.headers['message-id']).toBe(`<${waiting?.webhook_id}@aso.example.com>`);
  expect((await deliveries(channel.id))[0]).toMatchObject({ state: 'DELIVERED', status: 250, answer: null });
  // The mail is refused, not the address.
  smtp.answers.data = 554;
  await drop(5);
  await untilIdle(clock);
  expect((await list())[0]).toMatchObject({ off_reason: null });
  smtp.answers.data = null;
  smtp.answers.rcpt = 550;
  smtp.answers.reason = '5.1.1 no such user';
  clock.advance(5 * secondMs);
  await untilIdle(clock);
  expect((await list())[0]).toMatchObject({ off_reason: 'GONE' });
  expect((await deliveries(channel.id))[0]).toMatchObject({ state: 'FAILED', status: 550 });
});

test('a mail server that hangs delays no webhook, and has at most four connections', async () => {
  const { smtp, notify, create, sendDropsTo, drop, track, receivers, deliveries, clock } = await start({
    // Real time, in which the mails before it must be taken.
    mailTimeoutMs: 3000,
  });
  const accounts = Array.from({ length: 6 }, (_, index) => `account${index}`);
  const ofMail: number[] = [];
  for (const accountId of accounts) {
    const { id } = await create({ ...byMail, account_id: accountId, url: `mailto:${accountId}@example.com` });
    await notify.client.confirmAlertChannel({ token: tokenIn(smtp.mails.at(-1)) });
    await track(accountId);
    await sendDropsTo([id], accountId);
    ofMail.push(id);
  }
  const { id } = await create();
  await sendDropsTo([id]);
  const before = smtp.tries();
  smtp.answers.rcpt = 'hang';
  await drop(3);
  await until(() => receivers.requests.length > 0);
  expect((await deliveries(id))[0]?.webhook_id).toBe(receivers.requests[0]?.headers['webhook-id']);
  await until(() => smtp.tries() - before === 4);
  expect(smtp.tries() - before).toBe(4);
  // Each gives up, and says so.
  await untilIdle(clock);
  const outcomes = await Promise.all(ofMail.map((one, index) => deliveries(one, accounts[index])));
  for (const [delivery] of outcomes)
    expect(delivery).toMatchObject({
      state: 'WAITING',
      status: null,
      failure: expect.stringContaining('in time'),
    });
});

test('sending leaves nothing on the signal of the worker', async () => {
  const { smtp, confirm, drop } = await start();
  await confirm();
  const combined = jest.spyOn(AbortSignal, 'any');
  await drop(3);
  await until(() => smtp.mails.length === 2);
  expect(combined).not.toHaveBeenCalled();
});

test('a mail server that cannot be reached is explained in a sentence', async () => {
  const { smtp, confirm, client, channel } = await start();
  await confirm();
  const away = { ...smtp.mail, server: { ...smtp.mail.server, port: 1 } };
  const other = await startNotify({ mail: away });
  const { create, list } = useChannels(other);
  await expect(create(byMail)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: expect.stringContaining('could not be reached'),
  });
  expect(await list()).toEqual([]);
  expect((await client.testAlertChannel({ account_id: 'ann', id: channel.id })).delivery).toMatchObject({
    state: 'DELIVERED',
  });
  expect(smtp.mails.at(-1)?.text).toContain('This is a test of the channel “My receiver”');
});
