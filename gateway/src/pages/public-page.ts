import type { RequestHandler } from 'express';

/** A page that needs no key. */
export type PublicPage = { path: string; answer: RequestHandler };
