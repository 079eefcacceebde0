import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { createGate } from '../../../../testing/gate.ts';
import { createFakeClock } from '../../test/fake-clock.ts';
import { createRecoveryProbes } from './recovery-probes.ts';
import type { StorefrontDoubt } from './storefront-doubt.ts';

const us: Storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' };
const de: Storefront = { store: 'ITUNES', country: 'DE', lang: 'de-DE' };

test('a probe that fails does not end the probes of a storefront whose probe takes longer', async () => {
  const clock = createFakeClock();
  const { opened, open } = createGate();
  const probed: string[] = [];
  let watch = (_storefront: Storefront) => {};
  const probes = createRecoveryProbes({
    doubt: {
      onSuspect(listener: typeof watch) {
        watch = listener;
      },
      storefronts: {
        async claimProbe({ country }: Storefront) {
          if (country === 'DE') throw new Error('the database is lost');
          return true;
        },
      },
      read: async () => null,
      // The other one has become healthy meanwhile.
      isKnownSuspect: ({ country }: Storefront) => country === 'US',
    } as unknown as StorefrontDoubt,
    async probe({ country }) {
      probed.push(country);
      await opened;
    },
    clock,
  });
  watch(de);
  watch(us);
  await clock.advance(15_000);
  expect(probed).toEqual(['US']);
  open();
  await clock.advance(15_000);
  expect(probed).toEqual(['US', 'US']);
  probes.stop();
});
