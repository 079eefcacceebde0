import { digestPartNames } from '@shelfwise/facts/alerts/digests';
import { escapeHtml } from '@shelfwise/facts/text/escape-html';
import type { Alert, AlertApp, AlertField } from '../domain/alert.ts';
import { alertText } from '../domain/alert-text.ts';
import { digestParts } from '../domain/digest.ts';
import type { StoredAlert } from '../stores/alert-store.ts';
import { digestTitle, leftText, type Message, partTitles } from './message.ts';
import { plainLine } from './plain-line.ts';

/** A mail, in two forms with the same words. */
export type MailText = { subject: string; text: string; html: string };

/** An alert: its sentence, and the facts below it. */
type Item = { line: string; facts: readonly string[] };

/** What both forms are made from. Lines are plain. */
type Content = {
  subject: string;
  lines: readonly string[];
  sections: readonly { title: string | null; items: readonly Item[] }[];
  end: readonly string[];
  links: readonly { label: string; url: string }[];
};

/** In UTF-16 units. */
const maxSubjectLength = 120;
const maxLineLength = 500;

const line = (text: string) => plainLine(text, maxLineLength);

/** The mail of a delivery. A test has no alerts; a digest has them by part. */
export function alertMail(
  message: Omit<Message, 'account_id'>,
  links: { feed: string; unsubscribe: string },
): MailText {
  const { name, is_test: isTest, digest, alerts } = message;
  const item = (alert: StoredAlert) => ({ line: line(alertText(alert)), facts: factsOf(alert).map(line) });
  const parts = digest && digestParts(alerts);
  const left = leftText(message);
  return render({
    subject: subjectOf(message),
    lines: [
      line(
        isTest
          ? `This is a test of the channel “${name}”. Alerts of Shelfwise come here.`
          : `${digest ? digestTitle(digest) : 'Alerts of Shelfwise'} for the channel “${name}”:`,
      ),
    ],
    sections: parts
      ? digestPartNames
          .map((part) => ({ title: partTitles[part], items: parts[part].map(item) }))
          .filter(({ items }) => items.length > 0)
      : [{ title: null, items: alerts.map(item) }],
    end: left === null ? [] : [left],
    links: [
      { label: 'All alerts', url: links.feed },
      { label: 'Unsubscribe from these mails', url: links.unsubscribe },
    ],
  });
}

/** Asks the owner of an address. It has no text of the account, so that no account can send its own text through this server. */
export function confirmationMail(links: { confirm: string }): MailText {
  return render({
    subject: 'Confirm this address for alerts from Shelfwise',
    lines: [
      'A user of Shelfwise, which tracks how apps rank in the stores, wants alerts to be sent to this address.',
      'If you want this, open the link and press the button. The link works once, within a day.',
      'If not, do nothing: no alerts will be sent to you.',
    ],
    sections: [],
    end: [],
    links: [{ label: 'Confirm this address', url: links.confirm }],
  });
}

function subjectOf({ is_test: isTest, digest, alerts }: Omit<Message, 'account_id'>): string {
  if (isTest) return 'Test message from Shelfwise';
  if (digest) return `Shelfwise: ${digestTitle(digest)}`;
  const [first] = alerts;
  if (!first) return 'Alerts that were deleted';
  if (alerts.length === 1) return plainLine(alertText(first), maxSubjectLength);
  const about = first.app ? ` about ${nameOf(first.app)}` : '';
  return plainLine(`${alerts.length} alerts${about}`, maxSubjectLength);
}

/** What the alert is based on, shown below its sentence. */
function factsOf(alert: StoredAlert): string[] {
  const { threshold, ranks, fields, day_before: before, day_after: after } = alert;
  const day = (text: string | null) => text ?? 'an unknown day';
  return [
    ...ranks.map(
      (rank) =>
        `${rankedName(alert, rank.app_id)}: ${rankText(rank.before)} on ${day(before)}, ${rankText(rank.after)} on ${after}.`,
    ),
    ...fields.flatMap(fieldText),
    ...(alert.is_confirmed === false ? ['Not confirmed: this page was read once only.'] : []),
    ...(threshold === null ? [] : [`Threshold of the rule: ${threshold}.`]),
    foundText(alert),
  ];
}

/** An alert about a store or the account is based on no two readings. */
function foundText({ app, at, day_before: before, day_after: after }: StoredAlert): string {
  const time = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC.`;
  if (!app) return `Found ${time}`;
  const days = before === null || before === after ? after : `${before} and ${after}`;
  return `Readings of ${days}; found ${time}`;
}

function rankedName({ app, other_app: other }: Alert, appId: string): string {
  return [app, other].flatMap((one) => (one?.app_id === appId ? [nameOf(one)] : []))[0] ?? appId;
}

const nameOf = ({ title, app_id: appId }: AlertApp) => title ?? appId;

const rankText = (rank: number | null) => (rank === null ? 'not ranked' : `rank ${rank}`);

/** A longer text is only named, in the sentence of the alert. */
function fieldText({ field, before, after }: AlertField): string[] {
  if (before === null && after === null) return [];
  const quoted = (text: string | null) => (text === null ? 'not known' : `“${text}”`);
  return [`${field}: before ${quoted(before)}, now ${quoted(after)}.`];
}

function render(content: Content): MailText {
  return { subject: content.subject, text: toText(content), html: toHtml(content) };
}

function toText({ lines, sections, end, links }: Content): string {
  const itemText = ({ line: sentence, facts }: Item) =>
    [sentence, ...facts.map((fact) => `  - ${fact}`)].join('\n');
  const blocks = [
    ...lines,
    ...sections.flatMap(({ title, items }) => [...(title === null ? [] : [title]), ...items.map(itemText)]),
    ...end,
    links.map(({ label, url }) => `${label}: ${url}`).join('\n'),
  ];
  return `${blocks.join('\n\n')}\n`;
}

const bodyStyle = 'margin:1rem;max-width:42rem;font:1rem/1.5 system-ui,sans-serif';
const listStyle = 'padding-left:1.25rem';
const factsStyle = 'margin:.25rem 0 1rem;padding-left:1.25rem;color:#555';

/** Without pictures and scripts, and with styles in it only: nothing is loaded from anywhere when it is read. */
function toHtml({ subject, lines, sections, end, links }: Content): string {
  const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`;
  const list = (rows: readonly string[], style: string) =>
    rows.length === 0 ? '' : `<ul style="${style}">${rows.join('')}</ul>`;
  const factHtml = (fact: string) => `<li>${escapeHtml(fact)}</li>`;
  const itemHtml = ({ line: sentence, facts }: Item) =>
    `<li><strong>${escapeHtml(sentence)}</strong>${list(facts.map(factHtml), factsStyle)}</li>`;
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head><body style="${bodyStyle}">`,
    ...lines.map(paragraph),
    ...sections.flatMap(({ title, items }) => [
      title === null ? '' : `<h2 style="font-size:1.1rem">${escapeHtml(title)}</h2>`,
      list(items.map(itemHtml), listStyle),
    ]),
    ...end.map(paragraph),
    ...links.map(
      ({ label, url }) => `<p>${escapeHtml(label)}: <a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>`,
    ),
    '</body></html>',
  ].join('\n');
}
