import { createRecordingLogger } from '../../../test/recording-logger.ts';
import { createKafkaPublisher } from './kafka-publisher.ts';

const options = {
  brokers: ['127.0.0.1:1'],
  clientId: 'test',
  tls: null,
  sasl: null,
  topicPrefix: 'test.',
  partitions: 1,
  replication: 1,
  retentionDays: 1,
};

test('waiting for brokers that cannot be reached ends with the reason', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'performance'] });
  try {
    const publisher = createKafkaPublisher(options, createRecordingLogger().logger);
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
