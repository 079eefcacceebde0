import type { RequestHandler } from 'express';
import { exchangeOf } from './exchange.ts';

/** Answers what an earlier step found wrong with the request. */
export const refuseProblem: RequestHandler = (_request, response, next) => {
  const { problem } = exchangeOf(response);
  if (problem) throw problem;
  next();
};
