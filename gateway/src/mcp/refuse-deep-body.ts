import type { RequestHandler } from 'express';
import { sendMcpError } from './send-mcp-error.ts';

/** Messages of the protocol have fewer than ten. */
const mostLevels = 64;

/** 400 for a deeply nested body: code that follows its levels would run out of stack. */
export const refuseDeepBody: RequestHandler = (request, response, next) => {
  if (isDeeper(request.body, mostLevels))
    sendMcpError(response, 400, `The body is nested more than ${mostLevels} levels deep.`);
  else next();
};

/** Level by level, without a call for each. */
function isDeeper(value: unknown, levels: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}
