import { ForbiddenException, type CanActivate, type Type } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { RequestAuth } from '../context/request-auth.js';
import type { ChallengeableResponse } from './auth-refusal.js';
import type { AdapterRequest, AuthStateCarrier } from './auth-state.js';
import { type AuthenticatedRequest, McpAuthGuard } from './mcp-auth.guard.js';
import type { McpAuthenticator } from './mcp-authenticator.js';
import { findTokenOrigin } from './authorization-header.js';

/** The transport's request, which carries the guard's result. */
interface CarryingRequest extends AdapterRequest, AuthStateCarrier {}

/**
 * Calls the guard of one server's endpoint instead of Nest, after all other guards. For a returning caller, Nest's
 * guard pipeline would cost as much as the check itself.
 */
export class EndpointCheck {
  /** Absent if the guard is an application class, which may depend on Nest's pipeline. */
  #guard: McpAuthGuard | undefined;
  #isAlone = false;

  constructor(
    private readonly controller: Type,
    private readonly authenticator: McpAuthenticator,
  ) {}

  /**
   * Sets the guard, which Nest creates after the authenticator. Returns whether all requests are checked here.
   * Otherwise only requests that Nest has not checked are.
   *
   * @param mayReplaceNest whether only the guard needs Nest's pipeline
   */
  useGuard(guard: CanActivate | undefined, mayReplaceNest: boolean): boolean {
    const isOurs = guard instanceof McpAuthGuard && guard.constructor === McpAuthGuard;
    this.#guard = isOurs ? guard : undefined;
    this.#isAlone = isOurs && mayReplaceNest;
    return this.#isAlone;
  }

  /**
   * Checks a request, unless Nest has, and attaches the caller to it. Returns a promise if the check is asynchronous.
   *
   * @throws {HttpException} an error from the guard other than its refusal, thrown or as a rejection
   */
  check(
    request: AuthenticatedRequest,
    response: ChallengeableResponse,
    carrying: CarryingRequest,
  ): Promise<void> | undefined {
    const guard = this.#guard;
    if (guard === undefined || (!this.#isAlone && carrying.authState !== undefined)) return undefined;
    if (this.#recalls(request, carrying)) return undefined;
    const passes = guard.canActivate(new ExecutionContextHost([request, response], this.controller));
    if (passes instanceof Promise) return passes.then(assertPasses);
    assertPasses(passes);
    return undefined;
  }

  /** Admits a caller that returns on the same connection. Traced requests always go through the guard. */
  #recalls(request: AuthenticatedRequest, carrying: CarryingRequest): boolean {
    const { challenges, routes, tracing } = this.authenticator;
    if (tracing !== undefined) return false;
    // The adapter's request may have different headers than Node's. Those that the guard sees take precedence.
    const origin = findTokenOrigin(carrying.raw === request ? carrying : request);
    const authentication = origin && this.authenticator.recall(origin);
    if (authentication === undefined) return false;
    const { scopes } = routes.endpoint;
    if (!scopes.every((scope) => authentication.scopes.has(scope))) return false;
    carrying.authState = { authentication, span: undefined };
    request.auth = new RequestAuth(challenges, authentication, scopes);
    return true;
  }
}

/** Handles a guard's result as Nest does. */
function assertPasses(passes: boolean): void {
  if (!passes) throw new ForbiddenException('Forbidden resource');
}
