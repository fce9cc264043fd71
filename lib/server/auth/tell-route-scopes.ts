import { BadRequestException } from '@nestjs/common';
import { isObject } from '../../core/protocol/json-rpc.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import type { DynamicScopes } from '../catalogue/scopes/dynamic-scopes.js';
import type { Authentication } from '../context/authentication.interface.js';
import type { ScopedCall } from '../settings/scoped-call.interface.js';
import type { AdapterRequest } from './auth-state.js';

/**
 * Tells which scopes a request to a route of the application needs by its parameters.
 *
 * @throws {BadRequestException} if these cannot stand in a scope
 * @throws {ScopeFunctionError} if a function gives something else than scopes; what it throws itself, too
 */
export type TellRouteScopes = (
  request: AdapterRequest & { readonly params?: unknown },
  authentication: Authentication,
) => Promise<readonly string[]>;

/** @param name class and method of the route */
export function buildTellRouteScopes(name: string, dynamic: DynamicScopes): TellRouteScopes {
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
