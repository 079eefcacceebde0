import type { DigestPeriod } from '../domain/digest.ts';
import type { StoredAlert } from '../stores/alert-store.ts';

/** What a delivery says. */
export type Message = {
  account_id: string;
  /** of the channel */
  name: string;
  is_test: boolean;
  digest: DigestPeriod | null;
  /** Empty for a test; of a digest the first ones. */
  alerts: readonly StoredAlert[];
};

/** The parts of a digest for people. */
export const partTitles = {
  movers: 'Ranks that moved',
  entered_and_left: 'Entered or left the top, or a chart',
  listing_changes: 'Listings that changed',
  unread: 'Not read',
} as const;

/** What a digest begins with. */
export function digestTitle({ from, to, total }: DigestPeriod): string {
  const minute = (at: Date) => at.toISOString().slice(0, 16).replace('T', ' ');
  return `${total} ${total === 1 ? 'alert' : 'alerts'} from ${minute(from)} to ${minute(to)} UTC`;
}

/** How many of a digest are in the feed only; null: none. */
export function leftText({ digest, alerts }: Pick<Message, 'digest' | 'alerts'>): string | null {
  const left = digest ? digest.total - alerts.length : 0;
  return left > 0 ? `${left} more are in the feed.` : null;
}
