import { createRequire } from 'node:module';

/** An internal module of the driver that mongoose uses, for what has no public name. Tests tell when it changes. */
export function requireFromDriver(path: string): unknown {
  return createRequire(createRequire(import.meta.url).resolve('mongoose'))(`mongodb/lib/${path}`);
}
