import type { Request, Response } from 'express';

/** Answers the assistants' protocol at /mcp, here or in a process of its own. */
export type McpEndpoint = {
  /**
   * Answers a POST whose key or token is valid. Its headers have:
   * - `x-api-key`: the key, or a credential for the one call of the API that this message may lead to
   * - `x-request-id`, `x-forwarded-for`, and `traceparent` while there are traces
   * - `x-shelfwise-account`: the id of the account
   * - of a token only, `x-shelfwise-scope` and `x-shelfwise-resource-metadata`: what it allows, and where more is asked for
   * Nothing else of them is needed but those of the protocol and `user-agent`.
   * @param read.body parsed
   */
  serve(request: Request, response: Response, read: { key: string; body: unknown }): Promise<void>;
  /** The gateway stops: waiting calls of tools end with an error that says to try again. */
  stopCalls?(): void;
};

export type McpSettings = {
  endpoint: McpEndpoint;
  /** The host names by which clients may reach it, in lower case, besides addresses. */
  hosts: readonly string[];
};
