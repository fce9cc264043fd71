import type { Encoded } from '../../core/protocol/encoding/encode-definition.js';
import type { SerializedResult } from '../../core/protocol/outbound-message.js';
import type { RequestContext } from '../context/request-context.js';

/** A method's result: an object for one response, or JSON that many responses share. */
export type MethodResult = Encoded | SerializedResult;

/** One JSON-RPC method. The revision table determines which revisions include it. */
export interface McpMethod {
  readonly method: string;
  /** Whether a handler failure is a result with `isError` rather than a JSON-RPC error. @default false */
  readonly failsAsResult?: boolean;
  /**
   * Counts a request's handler call before {@link handle}. The promise rejects if the call exceeds a limit. Invalid
   * params are reported by {@link handle}, not here. @default requests are not counted
   */
  countCall?(context: RequestContext): Promise<void> | undefined;
  /** Handles a request. The dispatcher maps any error that it throws. */
  handle(context: RequestContext): MethodResult | Promise<MethodResult>;
}
