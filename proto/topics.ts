import { ChartTaken } from './gen/shelfwise/chart/v1/events.ts';
import { ChartWanted } from './gen/shelfwise/notify/v1/events.ts';
import { KeywordScored, ListingAudited } from './gen/shelfwise/scoring/v1/events.ts';
import { StoreStateChanged } from './gen/shelfwise/store/v1/events.ts';
import {
  ApplicationTracked,
  ApplicationUntracked,
  CompetitorTracked,
  CompetitorUntracked,
  KeywordFavoriteSet,
  KeywordTracked,
  KeywordUntracked,
  ListingChanged,
  ListingRead,
  SnapshotTaken,
} from './gen/shelfwise/tracking/v1/events.ts';

/** Every topic and its message. A topic name is in the past tense and ends with its version. */
export type TopicMessages = {
  'tracking.application-tracked.v1': ApplicationTracked;
  'tracking.application-untracked.v1': ApplicationUntracked;
  'tracking.keyword-tracked.v1': KeywordTracked;
  'tracking.keyword-untracked.v1': KeywordUntracked;
  'tracking.keyword-favorite-set.v1': KeywordFavoriteSet;
  'tracking.competitor-tracked.v1': CompetitorTracked;
  'tracking.competitor-untracked.v1': CompetitorUntracked;
  'tracking.snapshot-taken.v1': SnapshotTaken;
  'tracking.listing-changed.v1': ListingChanged;
  'tracking.listing-read.v1': ListingRead;
  'scoring.keyword-scored.v1': KeywordScored;
  'scoring.listing-audited.v1': ListingAudited;
  'store.state-changed.v1': StoreStateChanged;
  'chart.chart-taken.v1': ChartTaken;
  'notify.chart-wanted.v1': ChartWanted;
};

export type Topic = keyof TopicMessages;

/** The generated encoder and decoder of one message. */
export type MessageCodec<Message> = {
  encode(message: Message): { finish(): Uint8Array };
  decode(bytes: Uint8Array): Message;
};

export const topics: { [T in Topic]: MessageCodec<TopicMessages[T]> } = {
  'tracking.application-tracked.v1': ApplicationTracked,
  'tracking.application-untracked.v1': ApplicationUntracked,
  'tracking.keyword-tracked.v1': KeywordTracked,
  'tracking.keyword-untracked.v1': KeywordUntracked,
  'tracking.keyword-favorite-set.v1': KeywordFavoriteSet,
  'tracking.competitor-tracked.v1': CompetitorTracked,
  'tracking.competitor-untracked.v1': CompetitorUntracked,
  'tracking.snapshot-taken.v1': SnapshotTaken,
  'tracking.listing-changed.v1': ListingChanged,
  'tracking.listing-read.v1': ListingRead,
  'scoring.keyword-scored.v1': KeywordScored,
  'scoring.listing-audited.v1': ListingAudited,
  'store.state-changed.v1': StoreStateChanged,
  'chart.chart-taken.v1': ChartTaken,
  'notify.chart-wanted.v1': ChartWanted,
};
