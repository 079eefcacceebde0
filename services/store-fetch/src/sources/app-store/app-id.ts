import type { LookupKey } from './itunes-page.ts';

/**
 * The key that looks an app up: its number, otherwise its bundle id. Null for anything else, because no such app
 * exists and a comma would request several apps.
 */
export function identifyApp(appId: string): LookupKey | null {
  if (/^\d+$/.test(appId)) {
    const id = Number(appId);
    // A number that is not exact would become the id of another app.
    return Number.isSafeInteger(id) ? { field: 'trackId', id } : null;
  }
  return /^[\w.-]+$/.test(appId) ? { field: 'bundleId', id: appId } : null;
}
