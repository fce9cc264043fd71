import type { AuthError } from '../../core/oauth/auth.error.js';
import type { HiddenEntries } from '../catalogue/visibility/hidden-entries.js';
import type { RequestContext } from '../context/request-context.js';
import type { Reconsider, Verdict } from '../context/verdict.interface.js';
import type { McpMethod } from '../methods/mcp-method.interface.js';
import { limitTime } from '../methods/time-limit.js';

/** What is known of a request before it is known what there is for its caller, and which scopes it takes. */
export interface Admission {
  readonly verdict: Verdict & { readonly reconsider?: Reconsider | undefined };
  /** Finds what there is not for the caller; absent if that makes no difference. */
  readonly hidden: Pick<HiddenEntries, 'find'> | undefined;
  readonly timeoutMs: number | undefined;
}

/** Finds out what there is for the caller, and which scopes it takes, before a method is asked. */
export function buildAdmittedMethod(method: McpMethod, admission: Admission): McpMethod {
  return {
    method: method.method,
    failsAsResult: method.failsAsResult === true,
    handle: async (context) => {
      const refusal = await limitTime(context, admission.timeoutMs, () => judge(context, admission));
      if (refusal !== undefined) throw refusal;
      return method.handle(context);
    },
  };
}

/** Of what is hidden it is not asked which scopes it takes. */
async function judge(
  context: RequestContext,
  { verdict, hidden }: Admission,
): Promise<AuthError | undefined> {
  if (hidden === undefined) return decide(verdict, context);
  context.hidden = await hidden.find(context);
  const isWhole = context.hidden.size === 0;
  return decide(isWhole ? verdict : (verdict.reconsider?.(context.hidden) ?? {}), context);
}

function decide(
  { refusal, weigh }: Verdict,
  context: RequestContext,
): AuthError | undefined | Promise<AuthError | undefined> {
  return weigh === undefined ? refusal : weigh([context]);
}
