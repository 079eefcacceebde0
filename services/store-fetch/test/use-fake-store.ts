import { type FakeStore, startFakeStore } from './fake-store/start-fake-store.ts';

/** A fake store for the tests of one file or one `describe`; each test starts without a fault. */
export function useFakeStore(options?: Parameters<typeof startFakeStore>[0]): Omit<FakeStore, 'stop'> {
  let fake: FakeStore;
  beforeAll(async () => {
    fake = await startFakeStore(options);
  });
  beforeEach(() => fake.setFault('ok'));
  afterAll(() => fake.stop());
  return {
    get url() {
      return fake.url;
    },
    setFault: (...fault) => fake.setFault(...fault),
    release: () => fake.release(),
    counts: () => fake.counts(),
    calls: () => fake.calls(),
  };
}
