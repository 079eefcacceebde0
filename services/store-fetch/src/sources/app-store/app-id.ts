import type { LookupKey } from './itunes-page.ts';

/**
 * How to ask for an app: by its number, else by its bundle id. Null for what is neither: no app has it, and a comma
 * would ask the store for several apps.
 */
export function identifyApp(appId: string): LookupKey | null {
  if (/^\d+$/.test(appId)) {
    const id = Number(appId);
    // Beyond exact numbers it would become the id of another app.
    return Number.isSafeInteger(id) ? { field: 'trackId', id } : null;
  }
  return /^[\w.-]+$/.test(appId) ? { field: 'bundleId', id: appId } : null;
}
