import { categoryLabel } from '@shelfwise/facts/stores/categories';
import { storeInSentence } from '@shelfwise/facts/stores/store';
import { nounFor } from '@shelfwise/runtime/noun-for';
import type { Alert, AlertChart } from './alert.ts';

/** Names of fields, in sentences. */
const fieldNames: Readonly<Record<string, string>> = {
  title: 'title',
  subtitle: 'subtitle',
  description: 'description',
  version: 'version',
  icon: 'icon',
  screenshots: 'screenshots',
  unlisted_since: 'whether the store lists it',
};

const offTexts: Readonly<Record<string, string>> = {
  gone: 'its receiver says that it is gone',
  unsubscribed: 'the reader of its mails has unsubscribed',
};

/** An alert in one sentence, as plain text. Titles and keywords in it are the words of the store and of the user. */
export function alertText(alert: Alert): string {
  const { kind, app, keyword, before, after, threshold, other_app: other, fields } = alert;
  const name = app?.title ?? app?.app_id ?? '';
  const days = alert.day_before
    ? `between ${alert.day_before} and ${alert.day_after}`
    : `by ${alert.day_after}`;
  if (alert.store !== null) {
    const store = capitalize(storeInSentence(alert.store));
    return kind === 'store_blocked'
      ? `${store} cannot be read since ${alert.day_before}: ranks and listings of these days are missing, not lost.`
      : `${store} can be read again: it was away from ${alert.day_before} to ${alert.day_after}.`;
  }
  if (kind === 'quota_used')
    return `${after} % of the API requests of ${alert.day_after.slice(0, 7)} are used.`;
  if (alert.channel) {
    const { name: channel, reason } = alert.channel;
    return `The channel “${channel}” is off: ${offTexts[reason] ?? `nothing was delivered since ${alert.day_before}`}.`;
  }
  if (kind === 'listing_changed') {
    const whose = other ? `${other.title ?? other.app_id}, a competitor of ${name},` : name;
    const what = fields.map(({ field }) => fieldNames[field] ?? field).join(', ');
    return `The listing of ${whose} changed ${days}: ${what}.`;
  }
  if (kind === 'rating_drop')
    return `The rating of ${name} fell from ${starText(before)} to ${starText(after)} ${days}.`;
  if (kind === 'keyword_unread') {
    const count = alert.unread_keywords ?? 0;
    const since = alert.day_before ? ` since ${alert.day_before}` : '';
    return `${count} ${nounFor(count, 'keyword')} of ${name} ${count === 1 ? 'has' : 'have'} not been read${since}.`;
  }
  if (alert.chart) {
    const verb = kind === 'chart_entered' ? 'entered' : 'left';
    return `${name} ${verb} the top ${alert.chart.depth} of ${chartText(alert.chart)}: from ${rankText(before)} to ${rankText(after)} ${days}.`;
  }
  if (kind === 'audit_drop') return `The ASO Health of ${name} fell from ${before} to ${after} ${days}.`;
  const where = `for “${keyword?.text ?? ''}”`;
  const move = `from ${rankText(before)} to ${rankText(after)} ${days}${readText(alert)}`;
  switch (kind) {
    case 'entered_top':
      return `${name} entered the top ${threshold} ${where}: ${move}.`;
    case 'left_top':
      return `${name} left the top ${threshold} ${where}: ${move}.`;
    case 'overtaken':
      return `${other?.title ?? other?.app_id} overtook ${name} ${where}: ${name} moved ${move}.`;
    case 'rank_rise':
      return `${name} rose ${where}: ${move}.`;
    default:
      return `${name} fell ${where}: ${move}.`;
  }
}

function chartText({ store, country, category, collection }: AlertChart): string {
  return `the chart ${categoryLabel(store, category) ?? category} (${collection}, ${country})`;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function rankText(rank: number | null): string {
  return rank === null ? 'not ranked' : `rank ${rank}`;
}

/** Whether a surprising drop was looked at twice. */
function readText({ is_confirmed: isConfirmed }: Alert): string {
  if (isConfirmed === null) return '';
  return isConfirmed ? '; read twice' : '; read once only';
}

/** A rating with at most two decimals. */
function starText(rating: number | null): string {
  return rating === null ? 'unknown' : String(Math.round(rating * 100) / 100);
}
