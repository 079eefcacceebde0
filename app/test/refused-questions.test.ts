import { stores } from '@shelfwise/facts/stores/store';
import type { FakeFault } from '../../services/store-fetch/test/fake-store/fake-faults.ts';
import { startFakeStore } from '../../services/store-fetch/test/fake-store/start-fake-store.ts';
import { type Api, createApi } from '../../testing/system/api.ts';
import { live, useSystems } from './use-systems.ts';

const { start, account } = useSystems();

const faults: [string, FakeFault][] = [
  ['refuses', 'blocked'],
  ['answers with a captcha to', 'captcha'],
  ['fails for', 'error'],
  ['never answers', 'hang'],
  ['garbles its answers to', 'garbage'],
];
/** Terms with results in both stores. */
const words = ['notes', 'photo', 'habit', 'budget', 'recipe'];

async function createUser(url: string, name: string): Promise<Api> {
  const args = ['create', '--email', `${name}@example.com`, '--plan', 'unlimited', '--json'];
  return createApi(url, JSON.parse((await account(args)).stdout).key);
}

const inspect = async (api: Api, store: string, keyword: string) => {
  const query = new URLSearchParams({ keyword, store, country: 'US', lang: 'en-US' });
  return api('GET', `/keywords/inspect?${query}`);
};

test.each(faults)(
  'a store that %s the questions of two accounts answers all of a third one, from the start',
  async (_how, fault) => {
    const fake = await startFakeStore();
    const refused: Promise<{ status: number }>[] = [];
    try {
      fake.setFault(fault, { about: 'refused' });
      // Calls that hang are waited for.
      const limit = fault === 'hang' ? {} : { STORE_TIMEOUT_MS: '30000' };
      const { url } = await start({ ...live(fake.url), ...limit });
      const attackers = [await createUser(url, 'ann'), await createUser(url, 'ben')];
      const other = await createUser(url, 'cleo');
      const attack = (round: number, store: string, index: number) => {
        refused.push(inspect(attackers[index] ?? other, store, `refused${index} ${round}`));
      };
      // The first calls since the start, enough to open every breaker. One after the other, no probe but a question that the
      // store is known to answer can save it for others.
      for (const round of [-2, -1])
        for (const [index] of attackers.entries()) {
          for (const store of stores) attack(round, store, index);
          if (fault !== 'hang') await Promise.all(refused);
        }
      await Promise.all(refused);

      const answers: { word: string; status: number; error: unknown }[] = [];
      for (const [round, word] of words.entries()) {
        const asked = stores.map(async (store) => {
          for (const [index] of attackers.entries()) attack(round, store, index);
          const { status, body } = await inspect(other, store, word);
          answers.push({ word: `${word} ${store}`, status, error: body.error });
        });
        await Promise.all(asked);
      }
      expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
      expect(answers).toHaveLength(2 * words.length);
    } finally {
      // Ends the calls that are never answered.
      await fake.stop();
      await Promise.allSettled(refused);
    }
    for (const { status } of await Promise.all(refused)) expect(status).toBe(502);
  },
);
