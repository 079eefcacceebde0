import type { Topic } from './content-schema.ts';

export function isGame(topic: Topic): boolean {
  return topic.category.startsWith('GAME');
}
