import { Inject, Injectable } from '@nestjs/common';
import { AuthError } from '../../../core/oauth/auth.error.js';
import { Challenges } from '../../../core/oauth/challenges.js';
import { uniteScopes } from '../../../core/oauth/scope.js';
import type { JsonRpcRequest } from '../../../core/protocol/json-rpc.js';
import type { Revision } from '../../../core/protocol/revisions.js';
import { ForwardedCalls } from '../../catalogue/search/forwarded-calls.js';
import type { Seeker } from '../../catalogue/ways.js';
import { Visibility } from '../../catalogue/visibility/visibility.js';
import type { AuthView } from '../../context/auth-view.interface.js';
import type { Authentication } from '../../context/authentication.interface.js';
import { NO_AUTH, RequestAuth } from '../../context/request-auth.js';
import type { Reconsider, Verdict } from '../../context/verdict.interface.js';
import { SERVER_SETTINGS } from '../../settings/mcp.constants.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { DeclaredAccess } from './declared-access.js';
import { findRefusal, judgeNeed } from './judge-need.js';
import { findNeedOfAll, RequiredAccess, type Need } from './required-access.js';

/** What a request is allowed, or why it is refused before its handler is reached. */
export interface Authorization extends Verdict {
  readonly auth: AuthView;
  /**
   * Decides again without the entries that are hidden from the caller. A hidden entry is answered like a missing one.
   * Absent if no entry can be hidden and no request can be refused.
   */
  readonly reconsider?: Reconsider;
}

/** Who asks, without entries that there are not for the caller. */
interface Asking extends Required<Seeker> {
  readonly isAnonymous: boolean;
}

/** Finds the requirements for the caller. */
type FindRequired = (asker: Asking) => Need;

/** Decides whether a request may reach its handler, from the handler's declarations and the scopes of the token. */
@Injectable()
export class AccessPolicy {
  readonly #requiredScopes: readonly string[];
  readonly #isOpen: boolean;

  constructor(
    private readonly declared: DeclaredAccess,
    private readonly required: RequiredAccess,
    private readonly challenges: Challenges,
    @Inject(SERVER_SETTINGS) { auth }: ServerSettings,
    private readonly visibility: Visibility,
    private readonly forwarded: ForwardedCalls = new ForwardedCalls(),
  ) {
    this.#isOpen = auth === undefined;
    this.#requiredScopes = auth?.requiredScopes ?? [];
  }

  /**
   * Authorizes a request that the guard has let pass.
   *
   * @see MCP 2026-07-28 basic/authorization
   */
  authorize(
    request: JsonRpcRequest,
    authentication: Authentication | undefined,
    revision?: Revision,
  ): Authorization {
    const { method, params } = this.forwarded.open(request);
    return this.#decide(authentication, (asker) =>
      this.required.find(method, params, { ...asker, revision }),
    );
  }

  /**
   * Authorizes requests that run together or not at all: one refusal asks for what they all need.
   *
   * @see MCP 2025-03-26 basic, "Batching"
   */
  authorizeAll(
    requests: readonly JsonRpcRequest[],
    authentication: Authentication | undefined,
    revision?: Revision,
  ): Authorization {
    return this.#decide(authentication, (asker) =>
      findNeedOfAll(requests, asker.isAnonymous, (request, position) => {
        const { method, params } = this.forwarded.open(request);
        return placeDemands(this.required.find(method, params, { ...asker, revision }), position);
      }),
    );
  }

  #decide(authentication: Authentication | undefined, findRequired: FindRequired): Authorization {
    const isAnonymous = authentication === undefined && !this.#isOpen;
    const isRestricted = isAnonymous || this.declared.isRestricting;
    const auth = this.#view(authentication, this.#requiredScopes);
    return isRestricted ? this.#judge(auth, isAnonymous, findRequired) : { auth };
  }

  /**
   * Authorizes a request over a pipe. The user is the one who started the server, so no token is needed. The scopes are
   * those of a token from the environment.
   *
   * @see MCP basic/authorization, "Protocol Requirements"
   */
  authorizeLocal(request: JsonRpcRequest, authentication: Authentication | undefined): Authorization {
    const { method, params } = this.forwarded.open(request);
    const auth = authentication === undefined ? NO_AUTH : this.#view(authentication, this.#requiredScopes);
    return this.#judge(auth, false, (asker) => this.required.find(method, params, asker));
  }

  #judge(auth: AuthView, isAnonymous: boolean, findRequired: FindRequired): Authorization {
    const holds = (scope: string): boolean => auth.hasScope(scope);
    const judge = (hidden?: ReadonlySet<object>): Verdict => {
      const need = findRequired({ isAnonymous, hidden, holds });
      // What the handler asks for adds to this. Of what is hidden it must not tell.
      if (auth instanceof RequestAuth) auth.begin(uniteScopes(this.#requiredScopes, need.scopes));
      return need.isPublic ? {} : judgeNeed(auth, need);
    };
    const verdict = judge();
    return this.visibility.isDeclared ? { auth, ...verdict, reconsider: judge } : { auth, ...verdict };
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

function placeDemands(need: Need, at: number): Need {
  return need.demands === undefined
    ? need
    : { ...need, demands: need.demands.map(({ tell }) => ({ tell, at })) };
}
