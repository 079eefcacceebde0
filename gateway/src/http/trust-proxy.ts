import { isIP } from 'node:net';
import { z } from 'zod';

/** Which proxies are trusted to name the caller's address: none, the last N, or those with these addresses. */
export type TrustProxy = false | number | string[];

/** A longer chain of proxies is a mistake in the setting. */
const maxHops = 16;

/** TRUST_PROXY: a number of proxies, or their addresses and subnets, separated by commas. */
export const trustProxySetting = z
  .string()
  .transform((text, context): TrustProxy => {
    if (/^\d{1,2}$/.test(text) && Number(text) <= maxHops) return Number(text) === 0 ? false : Number(text);
    const addresses = text.split(',').map((address) => address.trim());
    if (addresses.every(isAddressOrSubnet)) return addresses;
    context.addIssue({
      code: 'custom',
      message: `must be a number of proxies (0 to ${maxHops}) or a list of IP addresses and subnets`,
    });
    return z.NEVER;
  })
  .default(false);

function isAddressOrSubnet(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (bits === undefined) return true;
  return /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128);
}
