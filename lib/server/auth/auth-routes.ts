import { BadRequestException, type ExecutionContext, type Type } from '@nestjs/common';
import { uniteScopes } from '../../core/oauth/scope.js';
import { isObject } from '../../core/protocol/json-rpc.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import { buildScopes } from '../catalog/building/build-access.js';
import type { DynamicScopes } from '../catalog/scopes/dynamic-scopes.js';
import type { Authentication } from '../context/authentication.interface.js';
import { readAccessMetadata } from '../decorators/access.decorators.js';
import type { AccessOptions } from '../settings/handler-options.interface.js';
import type { ScopedCall } from '../settings/scoped-call.interface.js';
import type { ServerSettings } from '../settings/server-settings.js';
import type { DeclaredAccess } from './access/declared-access.js';
import type { AdapterRequest } from './auth-state.js';

/**
 * Tells which scopes a request to a route of the application needs by its parameters.
 *
 * @throws {BadRequestException} if these cannot stand in a scope
 * @throws {ScopeFunctionError} if a function gives something else than scopes; what it throws itself, too
 */
type TellRouteScopes = (
  request: AdapterRequest & { readonly params?: unknown },
  authentication: Authentication,
) => Promise<readonly string[]>;

/** @param name class and method of the route */
function buildTellRouteScopes(name: string, dynamic: DynamicScopes): TellRouteScopes {
  return async (request, { claims, scopes }) => {
    const given = isObject(request.params) ? request.params : {};
    const { headers } = request as Pick<NonNullable<ScopedCall['context']['http']>, 'headers'>;
    try {
      return await dynamic.tell({
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

/** What the guard must know about the route of a request. */
export interface AuthRoute {
  /** Whether it is the server's own endpoint. */
  readonly isEndpoint: boolean;
  /** Whether requests may come without a token. */
  readonly isPublic: boolean;
  /** The scopes that every token must have there. */
  readonly scopes: readonly string[];
  /** Returns further scopes that a token must have, which depend on the parameters of the route. Absent if there are none. */
  readonly tellScopes?: TellRouteScopes | undefined;
}

/** The routes that the guard protects: the server's endpoint, and routes of the application. */
export class AuthRoutes {
  readonly #requiredScopes: readonly string[];
  /** The server's own endpoint. */
  readonly endpoint: AuthRoute;
  /** By class and method, because classes share a method that they inherit. */
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
      // The handler of a request is known only when the body has been read.
      get isPublic() {
        return declared.hasPublic;
      },
    };
  }

  /** Finds the route of a request. */
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

  /** If a route has both, the scopes count. */
  #build(name: string, { isPublic = false, requiredScopes = [] }: AccessOptions): AuthRoute {
    const { scopes, dynamic } = buildScopes(requiredScopes);
    return {
      isEndpoint: false,
      isPublic: isPublic && requiredScopes.length === 0,
      scopes: uniteScopes(this.#requiredScopes, scopes),
      ...(dynamic && { tellScopes: buildTellRouteScopes(name, dynamic) }),
    };
  }
}

function nameRoute(...functions: readonly object[]): string {
  return functions.map((one) => String(Reflect.get(one, 'name'))).join('.');
}
