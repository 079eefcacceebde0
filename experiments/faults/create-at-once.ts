import { outcomeOf } from '../lib/judge-on-machine.ts';
import type { Course, PhaseDeps } from './fault.ts';

const accounts = 10;
/** The calls that a key may make in a second. */
const atOnce = 5;

/** Each account tracks one app several times at once. */
export async function createAtOnce({ balancer, takeAccount, appId }: PhaseDeps): Promise<Course> {
  const body = { app_id: appId, store: 'ITUNES', country: 'US', lang: 'en-US' };
  const used = Array.from({ length: accounts }, takeAccount);
  const codes = await Promise.all(
    used.map(async ({ key }) => {
      const calls = Array.from({ length: atOnce }, () =>
        balancer.call({ key, method: 'POST', path: '/applications', body }),
      );
      return (await Promise.all(calls))
        .map(({ code, body }) => (code === 'SERVICE_UNAVAILABLE' ? body.error : code))
        .sort();
    }),
  );
  const isAsExpected = (given: readonly string[]) =>
    given[0] === '200' && given.slice(1).every((code) => code === 'DUPLICATE');
  const wrong = codes.filter((given) => !isAsExpected(given));
  return {
    findings: [
      {
        text: `${accounts} accounts, ${atOnce} creates each: one row and ${atOnce - 1} DUPLICATE for ${accounts - wrong.length} ${wrong[0] ?? ''}`,
        outcome: outcomeOf(wrong.length === 0),
      },
    ],
  };
}
