import { AuthError } from '../../../core/oauth/auth.error.js';
import type { Challenges } from '../../../core/oauth/challenges.js';
import { mergeScopes } from '../../../core/oauth/scope.js';
import type { JsonRpcRequest, Params } from '../../../core/protocol/json-rpc.js';
import { McpError } from '../../../core/protocol/mcp.error.js';
import type { Revision } from '../../../core/protocol/revisions.js';
import type { ScopeFinder } from '../../catalog/scopes/required-scopes.js';
import type { AuthView } from '../../context/auth-view.interface.js';
import type { Authentication } from '../../context/authentication.js';
import { NO_AUTH, RequestAuth } from '../../context/request-auth.js';
import type { RequestContext } from '../../context/request-context.js';
import { ToolError } from '../../context/tool-errors.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import type { DeclaredAccess } from './declared-access.js';
import type { Requirement, RequiredAccess } from './required-access.js';

/** A request's sender. */
export interface Requester {
  readonly authentication?: Authentication | undefined;
  /**
   * Whether it is the user who started the server, who needs no token. Scopes come from a token in the environment,
   * if any. @default false
   *
   * @see MCP basic/authorization, "Protocol Requirements"
   */
  readonly isLocal?: boolean | undefined;
  readonly revision?: Revision | undefined;
}

/**
 * Decides whether a request may reach its handler, based on the access that the handler declares and the token's
 * scopes.
 */
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

  /** Whether any request can be refused: tokens are required, or a handler requires scopes. */
  get isRestricting(): boolean {
    return !this.#isOpen || this.declared.isRestricting;
  }

  /**
   * Authorizes a request that the guard admitted.
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
   * Returns why a batch's requests may not run. One challenge names the scopes that all of them require.
   *
   * @see MCP 2025-03-26 basic, "Batching"
   * @throws {McpError} if they require more scopes than a challenge can name
   */
  findBatchRefusal(
    authorizations: readonly (Authorization | undefined)[],
    authentication: Authentication | undefined,
  ): AuthError | undefined {
    const refused = authorizations.find((authorization) => authorization?.refusal !== undefined)?.refusal;
    if (refused === undefined || refused.code === 401 || authorizations.length === 1) return refused;
    const computed = mergeScopes(...authorizations.map((one) => one?.argumentScopes ?? []));
    assertAskable(computed);
    const declared = authorizations.map((one) => one?.declared ?? []);
    return this.findRefusal(authentication, mergeScopes(...declared, computed));
  }

  /**
   * Returns why a token does not grant access to an earlier request's result, based on the scopes that the request
   * required.
   */
  findRefusal(authentication: Authentication | undefined, scopes: readonly string[]): AuthError | undefined {
    if (scopes.length === 0) return undefined;
    return findRefusal(this.#view(authentication, mergeScopes(this.#requiredScopes, scopes)), scopes);
  }

  #view(authentication: Authentication | undefined, scopes: readonly string[]): AuthView {
    return this.#isOpen ? NO_AUTH : new RequestAuth(this.challenges, authentication, scopes);
  }
}

/** The maximum length of argument-dependent scopes in characters, because a challenge is a header. */
const LONGEST_TOLD = 4096;

/** The requirement of a request that no declaration restricts. */
const NOTHING: Requirement = { scopes: [], isPublic: true };

/** A request whose handler may require scopes or a token. */
interface RestrictedRequest {
  readonly method: string;
  readonly params: Params | undefined;
  readonly revision: Revision | undefined;
  /** Whether a required token is missing. Public handlers need none. */
  readonly isAnonymous: boolean;
  readonly required: RequiredAccess;
  /** Scopes that the server requires of every request. */
  readonly requiredScopes: readonly string[];
}

/** The access for one request, or why it is refused before it reaches its handler. */
export class Authorization {
  #need = NOTHING;
  #computed: readonly string[] = [];
  #refusal: AuthError | undefined;

  /** @param request absent if no declaration restricts this caller */
  constructor(
    readonly auth: AuthView,
    private readonly request?: RestrictedRequest,
  ) {
    this.decide();
  }

  /** Why the request may not be served, if known. */
  get refusal(): AuthError | undefined {
    return this.#refusal;
  }

  /** Scopes that the handler declares. */
  get declared(): readonly string[] {
    return this.#need.scopes;
  }

  /** Scopes that depend on the request's arguments. */
  get argumentScopes(): readonly string[] {
    return this.#computed;
  }

  /** Whether the scopes also depend on arguments, which are not evaluated for anonymous callers. */
  get dependsOnArguments(): boolean {
    const { demands, isPublic } = this.#need;
    return demands !== undefined && !isPublic && this.#refusal?.code !== 401;
  }

  /** Decides based on the declarations. Entries that are hidden from the caller are treated as missing. */
  decide(hidden?: ReadonlySet<object>): void {
    const { auth, request } = this;
    if (request === undefined) return;
    const { method, params, revision, isAnonymous, required, requiredScopes } = request;
    const hasScope = (scope: string): boolean => auth.hasScope(scope);
    const need = required.find(method, params, { isAnonymous, hidden, hasScope, revision });
    // The handler may still require more scopes, and must not reveal hidden entries.
    if (auth instanceof RequestAuth) auth.begin(mergeScopes(requiredScopes, need.scopes));
    this.#need = need;
    this.#computed = [];
    this.#refusal = need.isPublic ? undefined : findRefusal(auth, need.scopes);
  }

  /**
   * Also considers the arguments. One challenge lists all scopes: those that are always required and those for this
   * call. If the scopes cannot be determined, the promise rejects and the request is refused.
   */
  async decideByArguments(context: RequestContext): Promise<void> {
    try {
      this.#computed = await requestAll(this.#need.demands ?? [], context);
    } catch (failure) {
      // A caller without access does not learn what is wrong with the arguments.
      const isOfArguments = failure instanceof McpError || failure instanceof ToolError;
      if (this.#refusal !== undefined && isOfArguments) return;
      throw failure;
    }
    this.#refusal = findRefusal(this.auth, mergeScopes(this.#need.scopes, this.#computed));
  }
}

/** @throws {McpError} if a challenge cannot name so many scopes */
function assertAskable(scopes: readonly string[]): void {
  if (scopes.reduce((characters, { length }) => characters + length + 1, 0) <= LONGEST_TOLD) return;
  throw McpError.invalidParams(
    'the request requires more scopes than fit in one challenge: send smaller requests',
  );
}

/** Evaluates sequentially: a list of resources must not call the application for all of them concurrently. */
async function requestAll(
  demands: readonly ScopeFinder[],
  context: RequestContext,
): Promise<readonly string[]> {
  const computed = new Set<string>();
  for (const tell of demands) {
    for (const scope of await tell(context)) computed.add(scope);
    assertAskable([...computed]);
  }
  return [...computed];
}

/** Returns why a token lacks some scopes. Without `auth`, the server allows only requests that require no scopes. */
function findRefusal(auth: AuthView, scopes: readonly string[]): AuthError | undefined {
  if (scopes.length === 0 && auth === NO_AUTH) return undefined;
  try {
    auth.requireScope(...scopes);
    return undefined;
  } catch (error) {
    if (error instanceof AuthError) return error;
    throw error;
  }
}
