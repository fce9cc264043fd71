import type { AuthError } from '../../../core/oauth/auth.error.js';
import type { Challenges } from '../../../core/oauth/challenges.js';
import { uniteScopes } from '../../../core/oauth/scope.js';
import type { JsonRpcRequest } from '../../../core/protocol/json-rpc.js';
import type { Revision } from '../../../core/protocol/revisions.js';
import type { AuthView } from '../../context/auth-view.interface.js';
import type { Authentication } from '../../context/authentication.interface.js';
import { NO_AUTH, RequestAuth } from '../../context/request-auth.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { assertAskable, Authorization, findRefusal } from './authorization.js';
import type { DeclaredAccess } from './declared-access.js';
import type { RequiredAccess } from './required-access.js';

/** Who sends a request, and how. */
export interface Requester {
  readonly authentication?: Authentication | undefined;
  /**
   * Whether it is the user who started the server, so that no token is needed. The scopes are those of a token from the
   * environment. @default false
   *
   * @see MCP basic/authorization, "Protocol Requirements"
   */
  readonly isLocal?: boolean | undefined;
  readonly revision?: Revision | undefined;
}

/** Decides whether a request may reach its handler, from the handler's declarations and the scopes of the token. */
export class AccessPolicy {
  readonly #requiredScopes: readonly string[];
  readonly #isOpen: boolean;

  constructor(
    readonly declared: DeclaredAccess,
    private readonly required: RequiredAccess,
    private readonly challenges: Challenges,
    { auth }: ServerSettings,
  ) {
    this.#isOpen = auth === undefined;
    this.#requiredScopes = auth?.requiredScopes ?? [];
  }

  /** Whether there is anything to decide: callers have tokens, or a handler requires scopes. */
  get isRestricting(): boolean {
    return !this.#isOpen || this.declared.isRestricting;
  }

  /**
   * Authorizes a request that the guard has let pass.
   *
   * @see MCP 2026-07-28 basic/authorization
   */
  authorize(
    { method, params }: Pick<JsonRpcRequest, 'method' | 'params'>,
    { authentication, isLocal = false, revision }: Requester,
  ): Authorization {
    const isAnonymous = authentication === undefined && !this.#isOpen && !isLocal;
    const auth =
      isLocal && authentication === undefined ? NO_AUTH : this.#view(authentication, this.#requiredScopes);
    if (!isAnonymous && !this.declared.isRestricting) return new Authorization(auth);
    const { required } = this;
    const requiredScopes = this.#requiredScopes;
    return new Authorization(auth, { method, params, revision, isAnonymous, required, requiredScopes });
  }

  /**
   * Finds why requests that run together or not at all may not run: one challenge asks for what they all need.
   *
   * @see MCP 2025-03-26 basic, "Batching"
   * @throws {McpError} if they need more scopes than can be asked for at once
   */
  findRefusalOfAll(
    authorizations: readonly (Authorization | undefined)[],
    authentication: Authentication | undefined,
  ): AuthError | undefined {
    const refused = authorizations.find((authorization) => authorization?.refusal !== undefined)?.refusal;
    if (refused === undefined || refused.code === 401 || authorizations.length === 1) return refused;
    const told = uniteScopes(...authorizations.map((one) => one?.told ?? []));
    assertAskable(told);
    const declared = authorizations.map((one) => one?.declared ?? []);
    return this.findRefusal(authentication, uniteScopes(...declared, told));
  }

  /** Finds why a token is not enough for the result of an earlier request, from the scopes that the request required. */
  findRefusal(authentication: Authentication | undefined, scopes: readonly string[]): AuthError | undefined {
    if (scopes.length === 0) return undefined;
    return findRefusal(this.#view(authentication, uniteScopes(this.#requiredScopes, scopes)), scopes);
  }

  #view(authentication: Authentication | undefined, scopes: readonly string[]): AuthView {
    return this.#isOpen ? NO_AUTH : new RequestAuth(this.challenges, authentication, scopes);
  }
}
