import type { Encoded } from '../../core/protocol/encoding/encode-definition.js';
import type { SerializedResult } from '../../core/protocol/outbound-message.js';
import type { RequestContext } from '../context/request-context.js';
import type { BoundedResult } from './results/shorten-result.js';

/** The result of a method: an object for this answer, an object that may be too long, or JSON that many answers share. */
export type MethodResult = Encoded | BoundedResult | SerializedResult;

/** One JSON-RPC method. Which revisions have it is a matter of the revision table. */
export interface McpMethod {
  readonly method: string;
  /** Whether a failure of the handler is a result with `isError` rather than a JSON-RPC error. @default false */
  readonly failsAsResult?: boolean;
  /**
   * Counts the call of the handler that a request reaches, before {@link handle}; the promise rejects if it is one too
   * many. What is wrong with the request is told when it is answered. @default it is not counted
   */
  countCall?(context: RequestContext): Promise<void> | undefined;
  /** Answers a request; what it throws is mapped by the dispatcher. */
  handle(context: RequestContext): MethodResult | Promise<MethodResult>;
}
