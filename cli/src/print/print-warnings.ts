import type { Meta } from '../api/create-api.ts';
import type { CommandRun } from '../commands/define-command.ts';

const sentences: Readonly<Record<string, string>> = {
  stale_store_data: 'The store could not be read: an older reading is shown',
  audit_pending: 'The audit is pending: scores are missing, or those of an earlier listing',
  audit_partial: 'The audit is partial: its scores can still change',
  history_save_failed: 'The answer is valid, but could not be saved in the history',
  topic_page_unread: 'The result page of the topic could not be read, so fewer terms were found',
  topic_page_short: 'The store shows fewer than two apps for the topic',
  no_terms_read: 'No search term but the topic could be read',
  no_related_terms: 'No other term leads to the apps of the topic',
  no_searched_terms: 'Hardly anybody searches for the topic and the terms about it',
};

/** Says what the API warns of. An unknown warning is shown as it is. */
export function printWarnings({ note }: Pick<CommandRun, 'note'>, meta: Meta): void {
  const { warnings = [], stale_since: staleSince } = meta as { warnings?: string[]; stale_since?: string };
  for (const warning of warnings) {
    const since = warning === 'stale_store_data' && staleSince ? `, of ${toDay(staleSince)}` : '';
    note(`warning: ${sentences[warning] ?? warning}${since}.`);
  }
}

/** The UTC day of a time. */
export function toDay(time: string): string {
  return time.slice(0, 10);
}
