import { AuthError } from '../../../core/oauth/auth.error.js';
import { uniteScopes } from '../../../core/oauth/scope.js';
import { McpError } from '../../../core/protocol/mcp.error.js';
import type { AuthView } from '../../context/auth-view.interface.js';
import { NO_AUTH } from '../../context/request-auth.js';
import { ToolError } from '../../context/tool.error.js';
import type { Verdict } from '../../context/verdict.interface.js';
import type { TellScopes } from '../../catalogue/scopes/demand.js';
import type { Demand, Need } from './required-access.js';

/** Those of the requests, in their order; absent for requests that are refused in any case. */
type Contexts = Parameters<NonNullable<Verdict['weigh']>>[0];

/** Characters of the scopes that a request may need by what it is called with: a challenge is a header. */
const LONGEST_TOLD = 4096;

/** Judges whether a caller has what a request needs. Of somebody without a token no argument is looked at. */
export function judgeNeed(auth: AuthView, { scopes, demands }: Need): Verdict {
  const refusal = isEnoughForAll(auth, scopes) ? undefined : findRefusal(auth, scopes);
  if (demands === undefined || refusal?.code === 401) return { refusal };
  return {
    weigh: (contexts, isBatch = false) =>
      weigh({ auth, scopes, refusal }, () => askAll(demands, contexts, isBatch)),
  };
}

interface Weighed {
  readonly auth: AuthView;
  readonly scopes: readonly string[];
  /** Why the request is refused, with any arguments. */
  readonly refusal: AuthError | undefined;
}

/** One challenge names all scopes, those that are always needed and those of this call. */
async function weigh(
  { auth, scopes, refusal }: Weighed,
  ask: () => Promise<readonly string[]>,
): Promise<AuthError | undefined> {
  try {
    const all = uniteScopes(scopes, await ask());
    return isEnoughForAll(auth, all) ? undefined : findRefusal(auth, all);
  } catch (failure) {
    // Who may not call it anyway does not learn what is wrong with the arguments.
    if (refusal !== undefined && (failure instanceof McpError || failure instanceof ToolError))
      return refusal;
    throw failure;
  }
}

async function askAll(
  demands: readonly Demand[],
  contexts: Contexts,
  isBatch: boolean,
): Promise<readonly string[]> {
  const told = new Set<string>();
  let characters = 0;
  // In turn: a list of resources must not ask the application for all of them at once.
  for (const demand of demands) {
    const scopes = isBatch ? await askIfPossible(demand, contexts) : await askFor(demand, contexts);
    for (const scope of scopes) {
      if (!told.has(scope)) characters += scope.length + 1;
      told.add(scope);
    }
    if (characters > LONGEST_TOLD) {
      throw McpError.invalidParams('this needs more scopes than can be asked for at once: ask for less');
    }
  }
  return [...told];
}

function askFor({ tell, at = 0 }: Demand, contexts: Contexts): ReturnType<TellScopes> {
  const context = contexts[at];
  if (context !== undefined) return tell(context);
  throw new RangeError('A request has no context, so the scopes that it needs are unknown');
}

async function askIfPossible(demand: Demand, contexts: Contexts): Promise<readonly string[]> {
  if (contexts[demand.at ?? 0] === undefined) return [];
  try {
    return await askFor(demand, contexts);
  } catch {
    return [];
  }
}

/** If nobody has scopes, only requests without scopes are allowed. */
function isEnoughForAll(auth: AuthView, scopes: readonly string[]): boolean {
  return scopes.length === 0 && auth === NO_AUTH;
}

/** Finds why a token does not do for some scopes. */
export function findRefusal(auth: AuthView, scopes: readonly string[]): AuthError | undefined {
  try {
    auth.requireScope(...scopes);
    return undefined;
  } catch (error) {
    if (error instanceof AuthError) return error;
    throw error;
  }
}
