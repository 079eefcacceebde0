import { AppError } from '@shelfwise/runtime/errors';
import express, { type ErrorRequestHandler, type IRouter, type RequestHandler, type Response } from 'express';
import { mapDatabaseError } from '../http/gateway-errors.ts';
import { type AddressLimiter, toGroup } from '../limits/address-limiter.ts';
import { limitPageCalls } from '../middleware/limit-page-calls.ts';
import { detectWrongMethod, recordRoute } from '../middleware/match-route.ts';
import { refuseProblem } from '../middleware/parse-input.ts';
import { readBody, readForm } from '../middleware/read-body.ts';
import { refuseLongBody } from '../middleware/refuse-long-body.ts';
import { getRequestContext } from '../middleware/request-context.ts';
import { answerPrepared } from '../pages/prepared-answer.ts';
import { isSameResource } from './authorize-request.ts';
import { parseClientMetadata } from './client-metadata.ts';
import type { OAuth } from './create-oauth.ts';
import { invalidScope, OAuthError } from './oauth-error.ts';
import { allScopes, parseScopes } from './scopes.ts';
import { sendAsOAuthError, sendOAuthError } from './send-oauth-error.ts';

/** In bytes. Registrations of assistants have below two thousand. */
const maxBodyBytes = 10_000;
const documentMaxAgeSeconds = 300;
export const resourceMetadataPath = '/.well-known/oauth-protected-resource';
const serverMetadataPath = '/.well-known/oauth-authorization-server';

/**
 * What clients call without a person: the discovery documents, registration, tokens and revocation. Any web page may call them:
 * they read no cookie, and give nothing without a code or a token. Every address is that of the setting, never of a Host.
 */
export function createOAuthRouter(deps: {
  oauth: OAuth;
  pageLimiter: AddressLimiter;
  registrationLimiter: AddressLimiter;
  /** Counts calls with a wrong key, code or token. */
  invalidKeyLimiter: AddressLimiter;
}): IRouter {
  const { oauth, pageLimiter, registrationLimiter, invalidKeyLimiter } = deps;
  const router = express.Router({ caseSensitive: true, strict: true });
  const pageLimit = limitPageCalls(pageLimiter);

  const serve = (path: string, createDocument: () => object) => {
    const answer = answerPrepared(() => Buffer.from(JSON.stringify(createDocument())), {
      type: 'application/json',
      maxAgeSeconds: documentMaxAgeSeconds,
    });
    router.get(path, allowPages, recordRoute(path), pageLimit, answer);
    refuseOtherMethods(path, ['GET', 'HEAD']);
  };
  const accept = (path: string, read: RequestHandler, ...steps: RequestHandler[]) => {
    const start = [allowPages, recordRoute(path)];
    router.post(path, ...start, pageLimit, refuseLongBody(maxBodyBytes), read, refuseProblem, ...steps);
    refuseOtherMethods(path, ['POST']);
  };
  const refuseOtherMethods = (path: string, methods: string[]) => {
    const steps = [detectWrongMethod(methods), refuseProblem];
    router.options(path, allowPages, recordRoute(path), pageLimit, answerPreflight(methods));
    router.all(path, allowPages, recordRoute(path), pageLimit, ...steps);
  };

  // Clients that know RFC 9728 read the one with the path, older ones the other.
  for (const path of [resourceMetadataPath, `${resourceMetadataPath}/mcp`])
    serve(path, () => describeResource(oauth));
  for (const path of [serverMetadataPath, `${serverMetadataPath}/mcp`])
    serve(path, () => describeServer(oauth));

  const limitRegistrations = limitPageCalls(registrationLimiter);
  accept('/oauth/register', readBody(true), limitRegistrations, async (request, response) => {
    const metadata = parseClientMetadata(request.body);
    // Not /64: one /48, which is easily had, would have room for 65,536 floods.
    const source = toGroup(request.ip, request.socket.remoteAddress, 48);
    const client = await mapDatabaseError(oauth.clients.register(metadata, source));
    response.status(201).json({
      client_id: client.id,
      client_id_issued_at: Math.floor(client.createdAt.getTime() / 1000),
      client_name: client.name,
      redirect_uris: client.redirectUris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
  });
  accept('/oauth/token', readForm, async (request, response) => {
    response.json(await mapDatabaseError(exchange(oauth, readFields(request.body))));
  });
  accept('/oauth/revoke', readForm, async (request, response) => {
    const fields = readFields(request.body);
    await mapDatabaseError(oauth.grants.revoke(need(fields, 'token'), need(fields, 'client_id')));
    response.status(200).end();
  });

  router.use(refuseAsOAuth(invalidKeyLimiter));
  return router;
}

function describeResource({ issuer, resource }: OAuth): object {
  return {
    resource: resource(),
    authorization_servers: [issuer()],
    scopes_supported: allScopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Shelfwise',
    resource_documentation: `${issuer()}/docs`,
  };
}

function describeServer({ issuer }: OAuth): object {
  const origin = issuer();
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/dashboard/connect`,
    token_endpoint: `${origin}/oauth/token`,
    registration_endpoint: `${origin}/oauth/register`,
    revocation_endpoint: `${origin}/oauth/revoke`,
    scopes_supported: allScopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${origin}/docs`,
  };
}

/** The fields of a form by their names. @throws OAuthError for one that is sent twice (RFC 6749, 3.2) */
function readFields(body: unknown): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const [name, value] of body instanceof URLSearchParams ? body : []) {
    if (fields.has(name)) throw new OAuthError('invalid_request', 'A field is sent twice.');
    fields.set(name, value);
  }
  return fields;
}

function need(fields: ReadonlyMap<string, string>, name: string): string {
  const value = fields.get(name);
  if (value) return value;
  throw new OAuthError('invalid_request', `The field ${name} is missing.`);
}

function exchange(oauth: OAuth, fields: ReadonlyMap<string, string>) {
  const sentResource = fields.get('resource') ?? null;
  const isOurs = sentResource !== null && isSameResource(sentResource, oauth.resource());
  const resource = isOurs ? oauth.resource() : sentResource;
  const clientId = need(fields, 'client_id');
  switch (need(fields, 'grant_type')) {
    case 'authorization_code':
      return oauth.grants.exchangeCode(need(fields, 'code'), {
        clientId,
        verifier: need(fields, 'code_verifier'),
        redirectUri: fields.get('redirect_uri') ?? null,
        resource,
      });
    case 'refresh_token': {
      const scope = fields.get('scope') ?? null;
      const scopes = scope === null ? null : parseScopes(scope);
      if (scope !== null && scopes === null) throw invalidScope();
      return oauth.grants.refresh(need(fields, 'refresh_token'), { clientId, scopes, resource });
    }
    default:
      throw new OAuthError(
        'unsupported_grant_type',
        'The grant types are authorization_code and refresh_token.',
      );
  }
}

const allowPages: RequestHandler = (_request, response, next) => {
  response.set('Access-Control-Allow-Origin', '*');
  next();
};

function answerPreflight(methods: readonly string[]): RequestHandler {
  return (_request, response) => {
    response.set({
      'Access-Control-Allow-Methods': methods.join(', '),
      'Access-Control-Allow-Headers': 'Content-Type, Authorization, MCP-Protocol-Version',
      'Access-Control-Max-Age': '3600',
    });
    response.status(204).end();
  };
}

/** Wrong codes and tokens are counted like wrong keys: 429 after too many of one address. */
function refuseAsOAuth(invalidKeyLimiter: AddressLimiter): ErrorRequestHandler {
  return async (error, request, response, next) => {
    if (response.headersSent) return next(error);
    if (!(error instanceof OAuthError)) {
      // The last step writes the stack of an unexpected failure to the log.
      if (!(error instanceof AppError) || error.code === 'INTERNAL_ERROR') return next(error);
      if (error.code === 'SERVICE_UNAVAILABLE') response.set('Retry-After', '5');
      return sendAsOAuthError(response, error);
    }
    const waitSeconds =
      error.code === 'invalid_grant'
        ? await invalidKeyLimiter.count(request.ip, request.socket.remoteAddress)
        : null;
    if (waitSeconds === null) return sendOAuthError(response, error);
    sendTooMany(response, waitSeconds);
  };
}

function sendTooMany(response: Response, waitSeconds: number): void {
  getRequestContext(response).isFlood = true;
  response.set('Retry-After', String(waitSeconds));
  sendAsOAuthError(
    response,
    new AppError('RATE_LIMITED', 'Too many wrong codes and tokens from this address. Try again later.'),
  );
}
