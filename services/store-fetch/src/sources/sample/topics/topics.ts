import type { Topic } from '../topic.ts';
import { gameTopics } from './games.ts';
import { healthTopics } from './health.ts';
import { homeLifeTopics } from './home-life.ts';
import { learningTopics } from './learning.ts';
import { mediaTopics } from './media.ts';
import { moneyTopics } from './money.ts';
import { photoVideoTopics } from './photo-video.ts';
import { productivityTopics } from './productivity.ts';
import { travelWeatherTopics } from './travel-weather.ts';
import { utilityTopics } from './utilities.ts';

/** All topics of the sample catalog. */
export const topics: readonly Topic[] = [
  ...moneyTopics,
  ...photoVideoTopics,
  ...productivityTopics,
  ...utilityTopics,
  ...healthTopics,
  ...homeLifeTopics,
  ...travelWeatherTopics,
  ...learningTopics,
  ...mediaTopics,
  ...gameTopics,
];
