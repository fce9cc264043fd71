import type { HiddenEntries } from '../catalogue/visibility/hidden-entries.js';
import type { RequestContext } from '../context/request-context.js';
import type { Reconsider, Verdict } from '../context/verdict.interface.js';
import { assertWanted } from '../limits/concurrency/assert-wanted.js';
import type { McpMethod } from '../methods/mcp-method.interface.js';
import { limitTime } from '../methods/time-limit.js';

/** What is known of a request before the visibility of its target and its scopes are. */
export interface Admission {
  readonly verdict: Verdict & { readonly reconsider?: Reconsider | undefined };
  /** Finds what there is not for the caller; absent if that makes no difference. */
  readonly hidden: Pick<HiddenEntries, 'find'> | undefined;
  /** What came of counting the request, if that was done with others. */
  readonly counted: Promise<void> | undefined;
  readonly timeoutMs: number | undefined;
}

/**
 * Finds out what there is for the caller, and which scopes it takes, before a method is asked. Both may be told by the
 * application's own code, so a request is counted before. A call of a hidden entry is not counted, because a limit
 * would reveal the entry.
 */
export function buildAdmittedMethod(method: McpMethod, admission: Admission): McpMethod {
  const { counted } = admission;
  return {
    method: method.method,
    failsAsResult: method.failsAsResult === true,
    handle: async (context) => {
      await (counted ?? method.countRequest?.(context));
      const { refusal, weigh } = await findVerdict(context, admission);
      if (weigh === undefined && refusal !== undefined) throw refusal;
      if (counted === undefined) await method.countCall?.(context);
      context.isCounted = true;
      // A method without such a count finds its handler later, and counts that then.
      context.isCallCounted = method.countCall !== undefined;
      if (weigh !== undefined) await assertAllowed(context, weigh, admission);
      assertWanted(context);
      return method.handle(context);
    },
  };
}

/** Of what is hidden it is not asked which scopes it takes. */
async function findVerdict(
  context: RequestContext,
  { verdict, hidden, timeoutMs }: Admission,
): Promise<Verdict> {
  if (hidden === undefined) return verdict;
  context.hidden = await limitTime(context, timeoutMs, () => hidden.find(context));
  const isWhole = context.hidden.size === 0;
  return isWhole ? verdict : (verdict.reconsider?.(context.hidden) ?? {});
}

async function assertAllowed(
  context: RequestContext,
  weigh: NonNullable<Verdict['weigh']>,
  { timeoutMs }: Admission,
): Promise<void> {
  assertWanted(context);
  const refusal = await limitTime(context, timeoutMs, () => weigh([context]));
  if (refusal !== undefined) throw refusal;
}
