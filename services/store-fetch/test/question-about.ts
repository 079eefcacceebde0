import type { Question } from '../src/store-health/question.ts';

/** A question about these items, such as the ids of apps. */
export function questionAbout(...items: string[]): Question {
  return { key: items.join(), items };
}
