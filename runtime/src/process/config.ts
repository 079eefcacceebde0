import { isIP } from 'node:net';
import { z } from 'zod';

/** Invalid settings. The message lists every problem, one per line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads one flat schema from the environment. An empty variable counts as absent. The message contains no values,
 * because a setting may hold a secret.
 * @throws ConfigError naming every missing or invalid setting
 */
export function readConfig<Schema extends z.ZodObject>(
  schema: Schema,
  environment: Readonly<Record<string, string | undefined>>,
): z.output<Schema> {
  const present = Object.fromEntries(
    Object.keys(schema.shape)
      .map((name) => [name, environment[name]?.trim()])
      .filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = schema.safeParse(present);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => {
    // A rule over several settings has no path.
    const name = issue.path.join('.') || 'settings';
    // A rule of our own has a message also for a setting that is missing.
    const hasMessage = name in present || name === 'settings' || issue.code === 'custom';
    return `  ${name}: ${hasMessage ? issue.message : 'is missing'}`;
  });
  throw new ConfigError(`Invalid settings:\n${problems.join('\n')}`);
}

/**
 * Refuses one setting, for a reason that a schema cannot check, such as the contents of a file.
 * @param problem without the value, which may be a secret
 * @throws ConfigError always
 */
export function refuseSetting(name: string, problem: string): never {
  throw new ConfigError(`Invalid settings:\n  ${name}: ${problem}`);
}

/** A TCP port; 0 lets the system choose one. */
export const portSetting = z.coerce
  .number('must be a port number')
  .int('must be a whole number')
  .min(0, 'must be 0 to 65535')
  .max(65535, 'must be 0 to 65535');

/** The address of one network interface, or a host name that stands for it. */
export const hostSetting = z
  .string()
  .refine(
    (host) => isIP(host) !== 0 || /^(?=.*[a-z])[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(host),
    'must be an IP address or a host name',
  );

/** The settings of the server for operators. */
export const opsSettings = {
  METRICS_PORT: portSetting.optional(),
  METRICS_HOST: hostSetting.default('127.0.0.1'),
};

export const logLevelSetting = z.enum(
  ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
  'must be trace, debug, info, warn, error, fatal or silent',
);

export const booleanSetting = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((value) => value === 'true');

/** A whole number from `min` to `max`, both included. */
export function integerSetting(min: number, max: number) {
  const range = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number(range).int(range).min(min, range).max(max, range);
}

/** How long something is kept: a whole number of days from 7 to 36,500, or null for `forever`. */
export const keptDaysSetting = z
  .string()
  .refine((text) => text === 'forever' || isWholeNumber(text, 7, 36_500), {
    error: 'must be forever, or a whole number of days from 7 to 36500',
  })
  .transform((text) => (text === 'forever' ? null : Number(text)));

function isWholeNumber(text: string, min: number, max: number): boolean {
  return /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max;
}

/** An http(s) address without a trailing slash. */
export const urlSetting = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .transform((url) => url.replace(/\/+$/, ''));

/** Where browsers reach the gateway, for the links that are made to it. */
export const publicUrlSetting = urlSetting
  .refine((url) => {
    const { pathname, search, hash, username } = new URL(url);
    return pathname === '/' && search + hash + username === '';
  }, 'must be an address without a path, such as https://shelfwise.example.com')
  .transform((url) => new URL(url).origin);
