import { unreachableKafka } from '../../../test/lib/kafka-options.ts';
import { createRecordingLogger } from '../../../test/recording-logger.ts';
import { createKafkaPublisher } from './kafka-publisher.ts';

test('waiting for brokers that cannot be reached ends with the reason', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'performance'] });
  try {
    const publisher = createKafkaPublisher(unreachableKafka, createRecordingLogger().logger);
    const problem = publisher.ready().then(String, String);
    let settled: string | undefined;
    void problem.then((text) => {
      settled = text;
    });
    while (settled === undefined) {
      await jest.advanceTimersByTimeAsync(100);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(settled).toContain('ECONNREFUSED');
    await publisher.stop();
  } finally {
    jest.useRealTimers();
  }
});

test('a producer that was replaced does not disturb a request of the next one', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'performance'] });
  /** Of each producer: what kafkajs does when it begins to send a request, also again after a failure. */
  const begin: (() => void)[] = [];
  let answer: (stored: { topicName: string; partition: number }[]) => void = () => {};
  const admin = { connect: async () => {}, describeCluster: async () => ({}), disconnect: async () => {} };
  const client = { kafka: { admin: () => admin }, destroy: () => {} };
  const createProducer = (_client: unknown, onPartition: (topic: string, partition: number) => void) => {
    const number = begin.length;
    begin.push(() => onPartition('test.topic', number));
    const sendBatch = () => {
      begin[number]?.();
      return new Promise((resolve) => {
        answer = resolve as never;
      });
    };
    return { connect: async () => {}, disconnect: async () => {}, sendBatch } as never;
  };
  try {
    const publisher = createKafkaPublisher(unreachableKafka, createRecordingLogger().logger, {
      createKafkaClient: () => client as never,
      createProducer,
    });
    await publisher.ready();
    const message = { topic: 'test.topic', message: { value: 'text' } };
    const frozen = publisher.send([message]).then(String, String);
    await jest.advanceTimersByTimeAsync(4000);
    expect(await frozen).toContain('publishing took more than 3.5 s');
    await publisher.ready();
    const sent = publisher.send([message]);
    await jest.advanceTimersByTimeAsync(0);
    begin[0]?.();
    answer([{ topicName: 'test.topic', partition: 1 }]);
    await expect(sent).resolves.toBeUndefined();
    const stopped = publisher.stop();
    await jest.advanceTimersByTimeAsync(4000);
    await stopped;
  } finally {
    jest.useRealTimers();
  }
});
