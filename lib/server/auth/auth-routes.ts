import { BadRequestException, type ExecutionContext, type Type } from '@nestjs/common';
import { AuthError } from '../../core/oauth/auth.error.js';
import type { Challenges } from '../../core/oauth/challenges.js';
import type { Claims } from '../../core/oauth/access-token.js';
import { mergeScopes } from '../../core/oauth/scope.js';
import { isObject } from '../../core/protocol/json-rpc.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import { buildScopes } from '../catalog/building/build-access.js';
import type { DynamicScopes } from '../catalog/scopes/dynamic-scopes.js';
import type { AuthView } from '../context/auth-view.interface.js';
import type { Authentication } from '../context/authentication.js';
import type { RequestedToken } from '../context/token-exchange.js';
import { RequestAuth } from '../context/request-auth.js';
import { readAccessMetadata } from '../decorators/access.decorators.js';
import type { AccessOptions } from '../settings/handler-options.interface.js';
import type { ScopedCall } from '../settings/scoped-call.interface.js';
import type { ServerSettings } from '../settings/server-settings.js';
import type { DeclaredAccess } from './access/declared-access.js';
import { type ChallengeableResponse, createAuthException } from './auth-refusal.js';
import type { AdapterRequest } from './auth-state.js';

/**
 * Returns the scopes that a request to an application route requires because of its parameters.
 *
 * @throws {BadRequestException} if the parameters cannot be part of a scope
 * @throws {ScopeFunctionError} if a function does not return scopes; errors that the function throws are rethrown
 */
type FindRouteScopes = (
  request: AdapterRequest & { readonly params?: unknown },
  authentication: Authentication,
) => Promise<readonly string[]>;

/** @param name the route's class and method */
function buildFindRouteScopes(name: string, dynamic: DynamicScopes): FindRouteScopes {
  return async (request, { claims, scopes }) => {
    const given = isObject(request.params) ? request.params : {};
    const { headers } = request as Pick<NonNullable<ScopedCall['context']['http']>, 'headers'>;
    try {
      return await dynamic.resolve({
        kind: 'route',
        name,
        arguments: given,
        variables: given as ScopedCall['variables'],
        context: {
          auth: { claims, hasScope: (scope) => scopes.has(scope) },
          http: { headers, request },
          signal: NEVER,
        },
      });
    } catch (error) {
      throw error instanceof McpError ? new BadRequestException(error.message, { cause: error }) : error;
    }
  };
}

const NEVER = new AbortController().signal;

/** A route's access declarations. */
export interface AuthRoute {
  /** Whether it is the server's endpoint. */
  readonly isEndpoint: boolean;
  /** Whether requests need no token. */
  readonly isPublic: boolean;
  /** The scopes that every token must have. */
  readonly scopes: readonly string[];
  /**
   * Returns additional scopes that a token must have, depending on the route parameters. Absent if there are none.
   */
  readonly findScopes?: FindRouteScopes | undefined;
}

/** The routes that the guard protects: the server's endpoint, and routes of the application. */
export class AuthRoutes {
  readonly #requiredScopes: readonly string[];
  /** The server's endpoint. */
  readonly endpoint: AuthRoute;
  /** By class and method, because classes share inherited methods. */
  readonly #known = new WeakMap<object, WeakMap<object, AuthRoute>>();

  constructor(
    private readonly controller: Type,
    { auth }: ServerSettings,
    declared: DeclaredAccess,
  ) {
    const scopes = auth?.requiredScopes ?? [];
    this.#requiredScopes = scopes;
    this.endpoint = {
      isEndpoint: true,
      scopes,
      // The handler is known only after the body has been read.
      get isPublic() {
        return declared.hasPublic;
      },
    };
  }

  /** Finds a request's route. */
  find(context: ExecutionContext): AuthRoute {
    const classRef = context.getClass();
    return classRef === this.controller ? this.endpoint : this.#findOwn(classRef, context.getHandler());
  }

  #findOwn(classRef: object, method: object): AuthRoute {
    const ofClass = this.#known.get(classRef) ?? new WeakMap<object, AuthRoute>();
    this.#known.set(classRef, ofClass);
    const known = ofClass.get(method);
    if (known !== undefined) return known;
    const route = this.#build(nameRoute(classRef, method), readAccessMetadata(classRef, method));
    ofClass.set(method, route);
    return route;
  }

  /** Scopes override `@Public()`. */
  #build(name: string, { isPublic = false, requiredScopes = [] }: AccessOptions): AuthRoute {
    const { scopes, dynamic } = buildScopes(requiredScopes);
    return {
      isEndpoint: false,
      isPublic: isPublic && requiredScopes.length === 0,
      scopes: mergeScopes(this.#requiredScopes, scopes),
      ...(dynamic && { findScopes: buildFindRouteScopes(name, dynamic) }),
    };
  }
}

function nameRoute(...functions: readonly object[]): string {
  return functions.map((one) => String(Reflect.get(one, 'name'))).join('.');
}

/**
 * Returns a caller's access to a route.
 *
 * @throws {AuthError} 401 if a required token is missing, 403 if the token lacks a required scope
 */
export function admitCaller(
  challenges: Challenges,
  authentication: Authentication | undefined,
  route: AuthRoute,
): RequestAuth {
  const auth = new RequestAuth(challenges, authentication, route.scopes);
  if (authentication === undefined ? !route.isPublic : route.scopes.length > 0) {
    auth.requireScope(...route.scopes);
  }
  return auth;
}

/** The access for a request to an application route. If scopes are missing, it throws Nest's exception. */
export class RouteAuth implements AuthView {
  constructor(
    private readonly auth: AuthView,
    private readonly response: ChallengeableResponse,
  ) {}

  get claims(): Claims | undefined {
    return this.auth.claims;
  }

  hasScope(scope: string): boolean {
    return this.auth.hasScope(scope);
  }

  requireScope(...scopes: readonly string[]): void {
    try {
      this.auth.requireScope(...scopes);
    } catch (error) {
      throw this.#translate(error);
    }
  }

  async exchange(wanted?: RequestedToken): Promise<string> {
    try {
      return await this.auth.exchange(wanted);
    } catch (error) {
      throw this.#translate(error);
    }
  }

  async upstream(): Promise<string> {
    try {
      return await this.auth.upstream();
    } catch (error) {
      throw this.#translate(error);
    }
  }

  #translate(error: unknown): unknown {
    return error instanceof AuthError ? createAuthException(error, this.response) : error;
  }
}
