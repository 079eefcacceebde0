/**
 * The faults that a stand-in can simulate. A stand-in is a server that answers like the App Store and Google Play and
 * is switched with `POST /__control`. `garbage` is an answer in another format, `slow` a late one, `hang` none at all.
 */
export const faults = ['blocked', 'captcha', 'error', 'garbage', 'slow', 'hang'] as const;

export type Fault = (typeof faults)[number];

/**
 * Sets how the stand-in answers from now on.
 * @param store the URL of the stand-in
 * @param rate the share of calls with the fault, 0 to 1
 * @throws Error if no stand-in answers at this address
 */
export async function setMode(store: string, mode: Fault | 'empty-search' | 'ok', rate = 1): Promise<void> {
  const request = { method: 'POST', body: JSON.stringify({ mode, rate }) };
  const response = await fetch(`${store}/__control`, request).catch(() => null);
  if (!response?.ok)
    throw new Error(
      `No stand-in for the stores answers at ${store}. It must serve the formats of the stores and accept POST /__control {"mode": "blocked", "rate": 1}.`,
    );
}

/** The settings that point every store client at one address. */
export function storeAddresses(url: string): Record<string, string> {
  return { STORE_ITUNES_URL: url, STORE_ITUNES_HINTS_URL: url, STORE_APPS_URL: url, STORE_PLAY_URL: url };
}
