import { dayMs } from '@shelfwise/runtime/day';

/** For so long suggestions, Google Play's details and the result pages of terms that nobody tracks are new enough. */
export const weekMs = 7 * dayMs;
