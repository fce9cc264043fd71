import type { AuthError } from '../../core/oauth/auth.error.js';
import type { RequestContext } from './request-context.js';

/** Why a request may not be served, if it may not. */
export interface Verdict {
  /** The method's own way of failing says so. */
  readonly refusal?: AuthError | undefined;
  /** Returns the refusal, if it depends on the arguments of the request; absent if it does not. */
  readonly weigh?: Weigh | undefined;
}

/**
 * Returns the refusal of a request for its arguments. It rejects if it cannot be told what is required, and the request
 * is refused then too.
 *
 * @param contexts the contexts of the requests, in their order; absent for those that are refused whatever scopes they need
 * @param isBatch whether each is judged again separately. A request that cannot be judged here is left to that @default
 *   false
 */
export type Weigh = (
  contexts: readonly (RequestContext | undefined)[],
  isBatch?: boolean,
) => Promise<AuthError | undefined>;

/** Returns the verdict again for a caller that does not see some entries. */
export type Reconsider = (hidden: ReadonlySet<object>) => Verdict;
