import { Inject, Injectable, type CanActivate } from '@nestjs/common';
import { RequestAuth } from '../context/request-auth.js';
import { ENDPOINT_GUARD } from '../settings/mcp.constants.js';
import type { ChallengeableResponse } from './auth-exception.js';
import type { AdapterRequest, AuthStateCarrier } from './auth-state.js';
import { McpAuthGuard, type AuthenticatedRequest } from './mcp-auth.guard.js';
import { McpAuthenticator } from './mcp-authenticator.js';
import { findOrigin } from './token-origin.js';

/** A request as the transport has it, which carries what the guard finds out about it. */
export interface CarryingRequest extends AdapterRequest, AuthStateCarrier {}

/**
 * The guard before the endpoint of one server, and who calls it: Nest, or the transport, as the last guard of all. For a
 * caller who comes again, Nest's way to a guard costs as much as what there is to check.
 */
@Injectable()
export class EndpointGuard {
  #own: McpAuthGuard | undefined;

  constructor(
    @Inject(ENDPOINT_GUARD) readonly guard: CanActivate | undefined,
    private readonly authenticator: McpAuthenticator,
  ) {}

  /** Has {@link check} call the guard, and tells whether it does: a class of the application's own may want Nest's context. */
  takeOver(): boolean {
    const { guard } = this;
    this.#own = guard instanceof McpAuthGuard && guard.constructor === McpAuthGuard ? guard : undefined;
    return this.#own !== undefined;
  }

  /**
   * Checks a request, unless Nest did, and leaves on it who calls; gives a promise where that takes time.
   *
   * @throws {Error} what the guard throws that is no refusal; the same as a rejection
   */
  check(
    request: AuthenticatedRequest,
    response: ChallengeableResponse,
    carrying: CarryingRequest,
  ): Promise<boolean> | undefined {
    if (this.#own === undefined || this.#recalls(request, carrying)) return undefined;
    const checked = this.#own.check(request, response, this.authenticator.routes.endpoint);
    return checked instanceof Promise ? checked : undefined;
  }

  /** Lets a caller pass who comes again over a connection; a request that is traced is the guard's. */
  #recalls(request: AuthenticatedRequest, carrying: CarryingRequest): boolean {
    const { challenges, routes, tracing } = this.authenticator;
    if (tracing !== undefined) return false;
    // The adapter's request may have other headers than Node's: what counts is what the guard would see.
    const origin = findOrigin(carrying.raw === request ? carrying : request);
    const authentication = origin && this.authenticator.recall(origin);
    if (authentication === undefined) return false;
    const { scopes } = routes.endpoint;
    if (!scopes.every((scope) => authentication.scopes.has(scope))) return false;
    carrying.authState = { authentication, span: undefined };
    request.auth = new RequestAuth(challenges, authentication, scopes);
    return true;
  }
}
