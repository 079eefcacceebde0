import { readConfig } from '@shelfwise/runtime/process/config';
import { z } from 'zod';
import { mailSettings, toMailSettings } from './mail-settings.ts';

const schema = z.object(mailSettings);
const publicUrl = 'https://aso.example.com';
const read = (settings: Record<string, string>) => toMailSettings(readConfig(schema, settings));

test.each([
  ['smtps://ann:p%40ss@mail.example.com', 465, true, { user: 'ann', pass: 'p@ss' }],
  ['smtp://mail.example.com', 587, false, null],
  ['smtp://127.0.0.1:2525/', 2525, false, null],
])('%s is a server', (text, port, isSecure, login) => {
  expect(read({ SMTP_URL: text, MAIL_FROM: 'a@example.com', PUBLIC_URL: publicUrl })).toMatchObject({
    server: { port, isSecure, login },
    from: { name: '', address: 'a@example.com' },
    publicUrl,
  });
});

test('a sender may have a name', () => {
  const from = 'Shelfwise Alerts <a@example.com>';
  expect(read({ SMTP_URL: 'smtp://m.example.com', MAIL_FROM: from, PUBLIC_URL: publicUrl })).toMatchObject({
    from: { name: 'Shelfwise Alerts', address: 'a@example.com' },
  });
});

test.each([
  { SMTP_URL: 'https://mail.example.com' },
  { SMTP_URL: 'smtp://mail.example.com?tls=no' },
  { SMTP_URL: 'smtp://ann@mail.example.com' },
  { SMTP_URL: 'mail.other.example' },
  { MAIL_FROM: 'Nobody' },
  { MAIL_FROM: 'a@example.com, b@example.com' },
])('%j is refused without its value', (settings) => {
  expect(() => read(settings)).toThrow(/must be/);
  expect(() => read(settings)).not.toThrow(Object.values(settings)[0]);
});

test('what is missing is named', () => {
  expect(read({ MAIL_FROM: 'a@example.com' })).toEqual(['SMTP_URL', 'PUBLIC_URL']);
});
