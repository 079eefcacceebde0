import type { DiskSpace } from '@shelfwise/runtime/process/disk-space';
import type { RequestHandler } from 'express';
import type { Route } from '../routes/route/define-route.ts';
import { getRequestContext } from './request-context.ts';

/** While the disk is almost full, calls that change something are refused: 503, and no quota is spent. */
export function detectFullDisk(
  { method }: Pick<Route, 'method'>,
  diskSpace: DiskSpace | undefined,
): RequestHandler {
  return (_request, response, next) => {
    if (method !== 'get' && diskSpace?.isLow()) getRequestContext(response).problem ??= diskSpace.refusal();
    next();
  };
}
