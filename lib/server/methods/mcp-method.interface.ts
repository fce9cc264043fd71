import type { Encoded } from '../../core/protocol/encoding/encode-definition.js';
import type { SerializedResult } from '../../core/protocol/outbound-message.js';
import type { RequestContext } from '../context/request-context.js';
import type { BoundedResult } from './results/bounded-result.js';

/** The result of a method: an object for this answer, an object that may be too long, or JSON that many answers share. */
export type MethodResult = Encoded | BoundedResult | SerializedResult;

/** Counts a request; rejects if it is one too many. */
export type Count = (context: RequestContext) => Promise<void>;

/** One JSON-RPC method. Which revisions have it is a matter of the revision table. */
export interface McpMethod {
  readonly method: string;
  /** Whether a failure of the handler is a result with `isError` rather than a JSON-RPC error. @default false */
  readonly failsAsResult?: boolean;
  /** Counts a request, before anything is looked up for it; {@link handle} does so if it was not. @default it is not counted */
  readonly countRequest?: Count;
  /** Counts the call of the handler that a request reaches; {@link handle} does so if it was not. @default it is not counted */
  readonly countCall?: Count;
  /** Answers a request; what it throws is mapped by the dispatcher. */
  handle(context: RequestContext): MethodResult | Promise<MethodResult>;
}
