import { AuthError } from '../../core/oauth/auth.error.js';
import type { Claims } from '../../core/oauth/claims.js';
import type { AuthView } from '../context/auth-view.interface.js';
import type { WantedToken } from '../context/exchange.interface.js';
import { createAuthException, type ChallengeableResponse } from './auth-exception.js';

/** The access of a request to a route of the application. If a scope is missing, the answer is Nest's exception. */
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

  async exchange(wanted?: WantedToken): Promise<string> {
    try {
      return await this.auth.exchange(wanted);
    } catch (error) {
      throw this.#translate(error);
    }
  }

  #translate(error: unknown): unknown {
    return error instanceof AuthError ? createAuthException(error, this.response) : error;
  }
}
