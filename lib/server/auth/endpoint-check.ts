import { ForbiddenException, type CanActivate, type Type } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { RequestAuth } from '../context/request-auth.js';
import type { ChallengeableResponse } from './auth-refusal.js';
import type { AdapterRequest, AuthStateCarrier } from './auth-state.js';
import { type AuthenticatedRequest, McpAuthGuard } from './mcp-auth.guard.js';
import type { McpAuthenticator } from './mcp-authenticator.js';
import { findTokenOrigin } from './authorization-header.js';

/** A request as the transport has it, which carries what the guard finds out about it. */
interface CarryingRequest extends AdapterRequest, AuthStateCarrier {}

/**
 * Calls the guard before the endpoint of one server instead of Nest, as the last guard of all. For a caller who comes
 * again, Nest's way to a guard costs as much as what there is to check.
 */
export class EndpointCheck {
  /** Absent if it is a class of the application's own, which may want more of Nest. */
  #guard: McpAuthGuard | undefined;
  #isAlone = false;

  constructor(
    private readonly controller: Type,
    private readonly authenticator: McpAuthenticator,
  ) {}

  /**
   * Takes the guard, which Nest makes when the authenticator is there. Tells whether every request is checked here from now on.
   * Otherwise only unchecked requests are checked here.
   *
   * @param mayReplaceNest whether nobody but the guard wants anything of Nest
   */
  useGuard(guard: CanActivate | undefined, mayReplaceNest: boolean): boolean {
    const isOurs = guard instanceof McpAuthGuard && guard.constructor === McpAuthGuard;
    this.#guard = isOurs ? guard : undefined;
    this.#isAlone = isOurs && mayReplaceNest;
    return this.#isAlone;
  }

  /**
   * Checks a request, unless Nest has done so, and notes the caller on it. Returns a promise if that takes time.
   *
   * @throws {HttpException} an error of the guard that is not its own refusal, thrown or as a rejection
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

  /** Lets a caller pass who comes again over a connection; a request that is traced is the guard's. */
  #recalls(request: AuthenticatedRequest, carrying: CarryingRequest): boolean {
    const { challenges, routes, tracing } = this.authenticator;
    if (tracing !== undefined) return false;
    // The adapter's request may have other headers than Node's. The headers that the guard sees count.
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

/** As Nest does with what guards give. */
function assertPasses(passes: boolean): void {
  if (!passes) throw new ForbiddenException('Forbidden resource');
}
