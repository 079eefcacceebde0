import { unreachableKafka } from '../../../test/lib/kafka-options.ts';
import { createRecordingLogger } from '../../../test/recording-logger.ts';
import { createGroupConsumer, type GroupConsumerDeps } from './kafka-group-consumer.ts';

test('while no broker answers, a consumer tries again without filling the log', async () => {
  const { logger, lines } = createRecordingLogger();
  let attempts = 0;
  let onFifth = () => {};
  const fifth = new Promise<void>((resolve) => {
    onFifth = resolve;
  });
  const ensure = () => {
    if (++attempts === 5) onFifth();
    return Promise.reject(new Error('no broker answers'));
  };
  const deps: Pick<GroupConsumerDeps, 'options' | 'subscription' | 'topics' | 'logger' | 'sleep'> = {
    options: unreachableKafka,
    subscription: { group: 'readers', topics: ['letters.v1'], onEvent: async () => {} },
    topics: { ensure, ensureDeadLetters: ensure },
    logger,
    sleep: () => new Promise((resolve) => setImmediate(resolve)),
  };
  const consumer = createGroupConsumer(deps as GroupConsumerDeps);
  await fifth;
  await consumer.stop();
  expect(lines.filter((line) => line.includes('starting again'))).toHaveLength(1);
  expect(consumer.problem()).toEqual(new Error('no broker answers'));
});
