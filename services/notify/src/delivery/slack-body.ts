import { digestPartNames } from '@shelfwise/facts/alerts/digests';
import { alertText } from '../domain/alert-text.ts';
import { digestParts } from '../domain/digest.ts';
import { digestTitle, leftText, type Message, partTitles } from './message.ts';
import { plainLine, separator } from './plain-line.ts';

/** In characters. Discord refuses a text of more than 2,000, Slack cuts one of more than 40,000. */
const maxTextLength = 1800;
const maxLineLength = 300;

/**
 * The body of an incoming webhook of Slack, as plain text with a line for each alert. Discord takes it at `/slack`, and
 * reads some marks that Slack does not.
 */
export function slackBody(message: Omit<Message, 'account_id'>): string {
  const text = message.is_test
    ? unmarkedLine(`This is a test of the channel “${message.name}”. Alerts of Shelfwise come here.`)
    : joinLines(linesOf(message).map(unmarkedLine));
  return JSON.stringify({ text, mrkdwn: false, unfurl_links: false, unfurl_media: false });
}

/** One line, in which nothing is a mark, a link or a mention: titles and keywords are the words of others. */
function unmarkedLine(text: string): string {
  return plainLine(text, maxLineLength)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[@#*_~`|[\]\\]/g, (mark) => `${mark}${separator}`);
}

/** Alerts have a line each, and so has each part of a digest. */
function linesOf({ digest, alerts }: Pick<Message, 'digest' | 'alerts'>): string[] {
  if (!digest) return alerts.map(alertText);
  const parts = digestParts(alerts);
  return [
    `${digestTitle(digest)}:`,
    ...digestPartNames.flatMap((part) =>
      parts[part].length === 0 ? [] : [`${partTitles[part]}:`, ...parts[part].map(alertText)],
    ),
    leftText({ digest, alerts }) ?? [],
  ].flat();
}

/** As many lines as there is room for, and how many are left. */
function joinLines(lines: readonly string[]): string {
  const shown: string[] = [];
  let length = 0;
  for (const line of lines) {
    length += line.length + 1;
    if (shown.length > 0 && length > maxTextLength) break;
    shown.push(line);
  }
  const left = lines.length - shown.length;
  return left === 0 ? shown.join('\n') : [...shown, `… and ${left} more in the feed.`].join('\n');
}
