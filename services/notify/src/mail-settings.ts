import { publicUrlSetting } from '@shelfwise/runtime/process/config';
import { z } from 'zod';
import type { MailSender, MailSettings, SmtpServer } from './delivery/mailer.ts';
import { readMailAddress } from './domain/mail-address.ts';

const usualPorts: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };

/** Refuses paths, queries and fragments, which would be ignored. */
function readServer(text: string): SmtpServer | null {
  if (!URL.canParse(text)) return null;
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  const usual = usualPorts[protocol];
  if (usual === undefined || hostname === '' || !/^\/?$/.test(pathname) || search + hash !== '') return null;
  if ((username === '') !== (password === '')) return null;
  try {
    return {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? usual : Number(port),
      isSecure: protocol === 'smtps:',
      login:
        username === '' ? null : { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    };
  } catch {
    return null;
  }
}

function readSender(text: string): MailSender | null {
  const [, name = '', inner] = /^([^<>"\r\n]*)<([^<>]*)>$/.exec(text) ?? [];
  const address = readMailAddress(`mailto:${inner ?? text}`)?.address;
  return address === undefined ? null : { name: name.trim(), address };
}

/** Reads a text, or refuses it with the problem. */
const parsed = <Result>(read: (text: string) => Result | null, problem: string) =>
  z.string().transform((text, context) => {
    const result = read(text);
    if (result === null) context.addIssue({ code: 'custom', message: problem });
    return result ?? z.NEVER;
  });

/** Without all three there are no channels by mail. */
export const mailSettings = {
  /** The operator's mail server, with its password. */
  SMTP_URL: parsed(
    readServer,
    'must be an address such as smtps://user:password@mail.example.com or smtp://mail.example.com:587',
  ).optional(),
  MAIL_FROM: parsed(
    readSender,
    'must be an address such as alerts@example.com or Shelfwise <alerts@example.com>',
  ).optional(),
  PUBLIC_URL: publicUrlSetting.optional(),
};

/** The settings of mail, or the names of those that are missing. */
export function toMailSettings(settings: {
  SMTP_URL?: SmtpServer | undefined;
  MAIL_FROM?: MailSender | undefined;
  PUBLIC_URL?: string | undefined;
}): MailSettings | string[] {
  const { SMTP_URL: server, MAIL_FROM: from, PUBLIC_URL: publicUrl } = settings;
  if (server && from && publicUrl) return { server, from, publicUrl };
  return Object.entries({ SMTP_URL: server, MAIL_FROM: from, PUBLIC_URL: publicUrl }).flatMap(
    ([name, value]) => (value === undefined ? [name] : []),
  );
}
