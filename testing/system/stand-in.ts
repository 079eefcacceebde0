/** The faults that a stand-in for the stores can play (POST /__control). */
export const faults = ['blocked', 'captcha', 'error', 'garbage', 'slow', 'hang'] as const;

export type Fault = (typeof faults)[number];

/**
 * Makes the stand-in answer so from now on; `rate` is the share of the calls.
 * @throws Error with a sentence when no stand-in answers there
 */
export async function setMode(store: string, mode: Fault | 'ok', rate = 1): Promise<void> {
  const request = { method: 'POST', body: JSON.stringify({ mode, rate }) };
  const response = await fetch(`${store}/__control`, request).catch(() => null);
  if (!response?.ok)
    throw new Error(
      `No stand-in for the stores answers on ${store}. It must answer in the stores' shapes and take POST /__control {"mode": "blocked", "rate": 1}.`,
    );
}

/** Where the live clients ask, all on one address. */
export function storeAddresses(url: string): Record<string, string> {
  return { STORE_ITUNES_URL: url, STORE_ITUNES_HINTS_URL: url, STORE_APPS_URL: url, STORE_PLAY_URL: url };
}
