/**
 * Tests that need a real engine: they run only when `setting`, such as REDIS_URL, names one, and are shown as skipped
 * otherwise. The body gets the value of the setting.
 */
export function describeWithEngine(setting: string, name: string, body: (value: string) => void): void {
  const value = process.env[setting];
  if (value) describe(name, () => body(value));
  else describe.skip(`${name} (needs ${setting})`, () => body(''));
}
