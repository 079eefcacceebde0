/** The first that fits. Browsers also name those that they descend from, so the descendants come first. */
const browsers = [
  ['Edge', /\bEdg(A|iOS)?\//],
  ['Opera', /\b(OPR|OPiOS|Opera)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(HeadlessChrome|Chromium|Chrome|CriOS)\//],
  ['Safari', /\bVersion\/[\d.]+ .*\bSafari\//],
] as const;

/** iPhones also name macOS; Android and Chromebooks, Linux. */
const systems = [
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Android', /\bAndroid\b/],
  ['iOS', /\biP(hone|od)\b/],
  ['iPadOS', /\biPad\b/],
  ['macOS', /\bMac(intosh| OS X)\b/],
  ['Linux', /\bLinux\b/],
] as const;

export type NamedBrowser = {
  browser: (typeof browsers)[number][0] | null;
  system: (typeof systems)[number][0] | null;
};

/**
 * The browser and the system that a user agent names; null: none that is known. The names are of this list, so that nothing of the
 * text is in them: a program can call itself as it likes.
 */
export function describeBrowser(userAgent: string): NamedBrowser {
  const firstIn = <Name extends string>(list: readonly (readonly [Name, RegExp])[]) =>
    list.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? null;
  return { browser: firstIn(browsers), system: firstIn(systems) };
}
