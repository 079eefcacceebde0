import { createAndAwait } from './kafka-topics.ts';

const topics = [{ topic: 'things' }];
const unknown = Object.assign(new Error('This server does not host this topic-partition'), {
  type: 'UNKNOWN_TOPIC_OR_PARTITION',
});

/** Brokers that answer questions about a new topic with these errors first. */
function fakeAdmin(...errors: Error[]) {
  return {
    created: [] as unknown[],
    isKnown: false,
    async createTopics(request: unknown) {
      this.created.push(request);
      return true;
    },
    async fetchTopicMetadata() {
      const error = errors.shift();
      if (error) throw error;
      this.isKnown = true;
      return { topics: [] };
    },
  };
}

test('a topic that a broker has not heard of yet is created once and awaited', async () => {
  const admin = fakeAdmin(unknown, Object.assign(new Error('retries'), { cause: unknown }));
  await createAndAwait(admin, topics);
  expect(admin.isKnown).toBe(true);
  expect(admin.created).toHaveLength(1);
});

test('another error is passed on', async () => {
  const refused = Object.assign(new Error('Not authorized'), { type: 'TOPIC_AUTHORIZATION_FAILED' });
  await expect(createAndAwait(fakeAdmin(refused), topics)).rejects.toThrow('Not authorized');
});
