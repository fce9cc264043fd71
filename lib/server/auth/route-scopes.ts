import { BadRequestException } from '@nestjs/common';
import { isObject } from '../../core/protocol/json-rpc.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import type { DynamicScopes } from '../catalogue/scopes/dynamic-scopes.js';
import type { Authentication } from '../context/authentication.interface.js';
import type { ScopedCall } from '../settings/scoped-call.interface.js';
import type { AdapterRequest } from './auth-state.js';

/** Scopes of a route of the application that depend on its parameters. */
export class RouteScopes {
  constructor(
    /** Class and method of the route. */
    private readonly name: string,
    private readonly dynamic: DynamicScopes,
  ) {}

  /**
   * Tells which scopes a request needs.
   *
   * @throws {BadRequestException} if its parameters cannot stand in a scope
   * @throws {ScopeFunctionError} if a function gives something else than scopes; what it throws itself, too
   */
  async tell(
    request: AdapterRequest & { readonly params?: unknown },
    { claims, scopes }: Authentication,
  ): Promise<readonly string[]> {
    const given = isObject(request.params) ? request.params : {};
    const { headers } = request as Pick<NonNullable<ScopedCall['context']['http']>, 'headers'>;
    try {
      return await this.dynamic.tell({
        kind: 'route',
        name: this.name,
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
  }
}

const NEVER = new AbortController().signal;
