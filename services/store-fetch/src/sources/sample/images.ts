import type { SampleApp } from './apps.ts';

/** A reserved name that never resolves, so that no address can be mistaken for one of a real store. */
const origin = 'https://sample.example';

export function iconOf({ brand }: SampleApp): string {
  return `${origin}/icons/${brand.slug}.png`;
}

export function screenshotsOf(app: SampleApp, count: number, edition: number): string[] {
  const folder = `${origin}/screenshots/${app.store.toLowerCase()}/${app.brand.slug}`;
  return Array.from({ length: count }, (_, index) => `${folder}/${edition}-${index + 1}.png`);
}

export function pageOf(app: SampleApp, { country, lang }: { country: string; lang: string }): string {
  if (app.store === 'ITUNES') return `${origin}/app-store/${country.toLowerCase()}/app/id${app.appId}`;
  return `${origin}/google-play/details?id=${app.appId}&hl=${lang}&gl=${country}`;
}
