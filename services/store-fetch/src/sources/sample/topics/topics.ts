import type { Topic } from '../topic.ts';
import { moneyTopics } from './money.ts';
import { photoVideoTopics } from './photo-video.ts';

/** Everything that the sample catalogue is about. Order and content decide which apps there are: add at the end. */
export const topics: readonly Topic[] = [...moneyTopics, ...photoVideoTopics];
