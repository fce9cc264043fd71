import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { Logger } from '../../core/logger/logger.js';
import { AuthError } from '../../core/oauth/auth.error.js';
import { isDpopScheme, parseBearerToken, parseBoundToken } from '../../core/oauth/access-token.js';
import { mergeScopes } from '../../core/oauth/scope.js';
import type { AuthView } from '../context/auth-view.interface.js';
import type { Authentication } from '../context/authentication.js';
import type { RequestAuth } from '../context/request-auth.js';
import { buildLogSubject } from '../log/format-line.js';
import { logShortage, RefusalLog } from '../log/refusal-log.js';
import { McpConfigurationError } from '../settings/mcp-configuration.error.js';
import { MCP_CONTEXT_TYPE } from '../settings/mcp.constants.js';
import type { RequestSpan } from '../telemetry/request-tracing.js';
import {
  type ChallengeableResponse,
  createAuthException,
  describeRefusal,
  findDeniedCaller,
  setDeniedCaller,
} from './auth-refusal.js';
import { admitCaller, type AuthRoute, RouteAuth } from './auth-routes.js';
import { type AdapterRequest, attachAuthState } from './auth-state.js';
import {
  explainAuthorization,
  findAuthorization,
  findTokenOrigin,
  hasTokenInQuery,
  TOKEN_IN_QUERY,
} from './authorization-header.js';
import type { DpopVerifier } from './dpop/dpop-verifier.js';
import { findCallAuthentication } from './call-auth.js';
import { AuthUnavailableError } from './errors.js';
import { McpAuthenticator } from './mcp-authenticator.js';
import { endSpanOnClose } from './request-span.js';

/** A request as route handlers behind the guard see it. */
export interface AuthenticatedRequest extends AdapterRequest {
  /** The caller and its access. */
  auth?: AuthView;
}

/** A request that the guard processes. */
export interface GuardedRequest {
  readonly request: AuthenticatedRequest;
  readonly response: ChallengeableResponse;
  readonly route: AuthRoute;
  readonly span: RequestSpan | undefined;
}

/**
 * Admits a request if it has a valid token in `Authorization`, with the scopes that the server or the route requires.
 *
 * It protects every server that has the `auth` option. It can also protect the application's own controllers, where
 * `RequireScope()`, `Public()` and `Claims()` work as well. You can override each step: name your class in the
 * `authGuard` option.
 *
 * @throws {McpConfigurationError} if the server has no `auth` option
 * @throws {HttpException} 401, 403, 429 or 503 on an application route, with the header for that status
 * @example
 * class ReportController { @Get('report') @UseGuards(McpAuthGuard) @RequireScope('desk:read')
 *   report(@Claims('sub') owner: string) {
 *     return this.reports.of(owner);
 *   }
 * }
 *
 * @see RFC 6750, MCP 2026-07-28 basic/authorization
 */
@Injectable()
export class McpAuthGuard implements CanActivate {
  readonly #refusals = new RefusalLog(new Logger('McpAuth'));

  constructor(protected readonly authenticator: McpAuthenticator) {
    if (authenticator.isConfigured) return;
    throw new McpConfigurationError('auth', 'is missing: "McpAuthGuard" needs it to check tokens');
  }

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (context.getType<string>() === MCP_CONTEXT_TYPE) return this.allowsHandler(context);
    const guarded = this.#receive(context);
    try {
      const authentication = this.authenticate(guarded);
      const isAtOnce = guarded.route.findScopes === undefined && !isPromise(authentication);
      if (isAtOnce) return this.admit(guarded, authentication);
      return Promise.resolve(authentication)
        .then((settled) => this.#admitCall(guarded, settled))
        .catch((error: unknown) => this.refuse(guarded, error));
    } catch (error) {
      return this.refuse(guarded, error);
    }
  }

  /**
   * Returns a request's token, or `undefined` if it has none. Credentials with another scheme are refused rather than
   * ignored, because their sender does not intend to be anonymous.
   *
   * @throws {AuthError} 401 if the header has another scheme, is malformed or repeated, or the token is in the query
   * @see RFC 6750 §2.1, §3.1, RFC 9110 §11.6.2
   */
  protected findToken(request: AdapterRequest): string | undefined {
    if (request.headers.authorization === undefined) {
      if (!hasTokenInQuery(request)) return undefined;
      throw this.#refuseUnreadable(TOKEN_IN_QUERY, request);
    }
    const authorization = findAuthorization(request);
    const token = authorization === undefined ? undefined : this.#parseToken(authorization);
    if (token !== undefined) return token;
    throw this.#refuseUnreadable(explainAuthorization(authorization), request);
  }

  /**
   * Returns a request's caller, or `undefined` for an anonymous request that is allowed.
   *
   * @throws {AuthError} 401 if the token is missing or not valid, thrown or as a rejection
   */
  protected authenticate({
    request,
    route,
    span,
  }: GuardedRequest): Authentication | undefined | Promise<Authentication> {
    const calling = route.isEndpoint ? undefined : this.#findCalling(request);
    if (calling !== undefined) return calling;
    const origin = this.#mayRecall() ? findTokenOrigin(request) : undefined;
    const known = origin && this.authenticator.recall(origin, span);
    if (known !== undefined) return known;
    const token = this.findToken(request);
    if (token !== undefined) {
      const source = this.#isBound(request)
        ? ({ request, scheme: 'DPoP' } as const)
        : (origin ?? { request });
      return this.authenticator.authenticate(token, span, source);
    }
    if (route.isPublic) return undefined;
    throw this.authenticator.challenges.missingToken();
  }

  /**
   * Admits a request, and attaches its access.
   *
   * @throws {AuthError} 401 if a required token is missing, 403 if the token lacks a required scope
   */
  protected admit(
    { request, response, route, span }: GuardedRequest,
    authentication: Authentication | undefined,
  ): boolean {
    const auth = this.#admitCaller(route, authentication);
    if (authentication?.keyThumbprint !== undefined) tellNonce(this.authenticator.dpop, response);
    attachAuthState(request, { authentication, span });
    request.auth = route.isEndpoint ? auth : new RouteAuth(auth, response);
    return true;
  }

  /**
   * Refuses a request. On an application route, it throws Nest's exception. At the server's endpoint, it attaches the
   * refusal to the request for the transport to send, so no exception filter can rewrite it.
   */
  protected refuse({ request, response, route, span }: GuardedRequest, error: unknown): boolean {
    if (!(error instanceof AuthError || error instanceof AuthUnavailableError)) throw error;
    span?.fail(error.message);
    tellNonce(this.authenticator.dpop, response);
    if (!route.isEndpoint) {
      this.#tellRefused(request, error);
      throw createAuthException(error, response);
    }
    attachAuthState(request, { refusal: error, span });
    return true;
  }

  /** Admits callers with a token to a handler. The token was already checked when the request arrived. */
  protected allowsHandler(context: ExecutionContext): boolean {
    const { auth } = context.switchToRpc().getContext<{ readonly auth: AuthView }>();
    if (auth.claims === undefined) throw this.authenticator.challenges.missingToken();
    return true;
  }

  /** Finds the caller of the tool call that the request belongs to. */
  #findCalling(request: AuthenticatedRequest): Authentication | undefined {
    return findCallAuthentication(request.raw ?? request, this.authenticator.challenges);
  }

  /**
   * Cached callers are reused unless a subclass finds tokens in another way, or a test replaces the authenticator.
   */
  #mayRecall(): boolean {
    return (
      this.findToken === McpAuthGuard.prototype.findToken && this.authenticator instanceof McpAuthenticator
    );
  }

  /** One challenge names all scopes, from both the route and the request. */
  #admitCall(
    guarded: GuardedRequest,
    authentication: Authentication | undefined,
  ): boolean | Promise<boolean> {
    const { request, route } = guarded;
    if (route.findScopes === undefined || authentication === undefined) {
      return this.admit(guarded, authentication);
    }
    return route.findScopes(request, authentication).then((computed) => {
      const scopes = mergeScopes(route.scopes, computed);
      return this.admit({ ...guarded, route: { ...route, scopes } }, authentication);
    });
  }

  #admitCaller(route: AuthRoute, authentication: Authentication | undefined): RequestAuth {
    try {
      return admitCaller(this.authenticator.challenges, authentication, route);
    } catch (error) {
      setDeniedCaller(error, authentication);
      throw error;
    }
  }

  /** Logs and records a refusal. For requests to the endpoint, the transport does so. */
  #tellRefused(request: AdapterRequest, error: AuthError | AuthUnavailableError): void {
    const authentication = findDeniedCaller(error);
    const { http } = buildLogSubject(request);
    if (error instanceof AuthError) logShortage(error, { authentication, http });
    void this.authenticator.refusals?.record({ ...describeRefusal(error), authentication, http });
  }

  #refuseUnreadable(line: string, request: AdapterRequest): AuthError {
    this.#refusals.warn(line, buildLogSubject(request));
    return this.authenticator.challenges.unreadableToken(this.#isBound(request) ? 'DPoP' : undefined);
  }

  #parseToken(authorization: string): string | undefined {
    const bearer = parseBearerToken(authorization);
    if (bearer !== undefined || this.authenticator.dpop === undefined) return bearer;
    return parseBoundToken(authorization);
  }

  /** Returns whether the server accepts the scheme `DPoP` and the token uses it. */
  #isBound({ headers }: AdapterRequest): boolean {
    return this.authenticator.dpop !== undefined && isDpopScheme(headers.authorization);
  }

  #receive(context: ExecutionContext): GuardedRequest {
    const { request, response } = findRequest(context);
    const route = this.authenticator.routes.find(context);
    const span = this.authenticator.tracing?.startRequest(request.headers);
    if (span !== undefined) endSpanOnClose(span, response.raw ?? response);
    return { request, response, route, span };
  }
}

/** A subclass may return a library's thenable. Mistaking it for a caller would admit every request. */
function isPromise(
  given: ReturnType<McpAuthGuard['authenticate']>,
): given is Exclude<typeof given, Authentication | undefined> {
  return given !== undefined && 'then' in given;
}

/**
 * Returns request and response. `switchToHttp()` creates three functions per request, half the cost of a digest, so
 * Nest's own contexts are read directly. Custom contexts may offer nothing else.
 */
function findRequest(context: ExecutionContext): Pick<GuardedRequest, 'request' | 'response'> {
  if (context.switchToHttp === ExecutionContextHost.prototype.switchToHttp) {
    return { request: context.getArgByIndex(0), response: context.getArgByIndex(1) };
  }
  const http = context.switchToHttp();
  return { request: http.getRequest(), response: http.getResponse() };
}

/** Sends the nonce for the next proof, if one is required. It must not be cached (RFC 9449 §8.2). */
function tellNonce(gate: DpopVerifier | undefined, response: ChallengeableResponse): void {
  const nonce = gate?.nonce;
  if (nonce === undefined) return;
  const raw = response.raw ?? response;
  raw.setHeader('DPoP-Nonce', nonce);
  raw.setHeader('Cache-Control', 'no-store');
}
