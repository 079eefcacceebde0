import { findDifferences } from './compare-topics.ts';

const wanted = { name: 'things', partitions: 12, replicas: undefined, config: { 'retention.ms': '1000' } };

/** Brokers with one topic. */
function fakeAdmin(partitions: number, describeConfigs: () => Promise<string>) {
  return {
    fetchTopicMetadata: async () => ({
      topics: [{ name: 'things', partitions: Array.from({ length: partitions }, () => ({ replicas: [1] })) }],
    }),
    describeConfigs: async () => {
      const configEntries = [{ configValue: await describeConfigs() }];
      return { resources: [{ resourceName: 'things', configEntries }] };
    },
  } as unknown as Parameters<typeof findDifferences>[0];
}

const forbidden = () =>
  Promise.reject(
    Object.assign(new Error('Not authorized to access topics'), { type: 'TOPIC_AUTHORIZATION_FAILED' }),
  );

test('an existing topic with other partitions or another retention is named with both values', async () => {
  const admin = fakeAdmin(3, async () => '2000');
  expect(await findDifferences(admin, [wanted])).toEqual([
    {
      topic: 'things',
      actual: { partitions: 3, replicas: 1, 'retention.ms': '2000' },
      configured: { partitions: 12, replicas: 1, 'retention.ms': '1000' },
    },
  ]);
  expect(
    await findDifferences(
      fakeAdmin(12, async () => '1000'),
      [wanted],
    ),
  ).toEqual([]);
});

test('a process that may not read the settings of topics uses them, and compares what it can read', async () => {
  expect(await findDifferences(fakeAdmin(12, forbidden), [wanted])).toEqual([]);
  expect(await findDifferences(fakeAdmin(3, forbidden), [wanted])).toMatchObject([
    { actual: { partitions: 3 }, configured: { partitions: 12 } },
  ]);
});

test('another error is passed on', async () => {
  const admin = fakeAdmin(12, () => Promise.reject(new Error('the broker is away')));
  await expect(findDifferences(admin, [wanted])).rejects.toThrow('the broker is away');
});
