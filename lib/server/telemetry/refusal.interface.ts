import type { JsonRpcErrorObject } from '../../core/protocol/json-rpc.js';
import type { HttpRequest } from './network.js';
import type { RefusalReason } from './refusal-reason.js';

/** A request that no method was reached by. */
export interface Refusal {
  /** @default what the status of the answer says, or else its error */
  readonly reason?: RefusalReason | undefined;
  /** What its sender is told. */
  readonly error: JsonRpcErrorObject;
  /** The status of the HTTP answer, if there is one. */
  readonly status?: number | undefined;
  /** The message that was refused, if it was read. */
  readonly message?: unknown;
  readonly http?: HttpRequest | undefined;
  readonly isPipe?: boolean | undefined;
}
