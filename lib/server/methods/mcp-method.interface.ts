import type { Encoded } from '../../core/protocol/encoding/encode-definition.js';
import type { SerializedResult } from '../../core/protocol/outbound-message.js';
import type { RequestContext } from '../context/request-context.js';

/** The result of a method: an object for one response, or JSON that many responses share. */
export type MethodResult = Encoded | SerializedResult;

/** One JSON-RPC method. Which revisions have it is a matter of the revision table. */
export interface McpMethod {
  readonly method: string;
  /** Whether a failure of the handler is a result with `isError` rather than a JSON-RPC error. @default false */
  readonly failsAsResult?: boolean;
  /**
   * Counts the handler call of a request before {@link handle}. The promise rejects if the call exceeds a limit.
   * Invalid params are not reported here, but by {@link handle}. @default requests are not counted
   */
  countCall?(context: RequestContext): Promise<void> | undefined;
  /** Handles a request. The dispatcher maps everything that it throws. */
  handle(context: RequestContext): MethodResult | Promise<MethodResult>;
}
