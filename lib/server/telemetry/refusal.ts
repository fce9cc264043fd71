import type { InsufficientScope } from '../../core/oauth/auth.error.js';
import { ErrorCode } from '../../core/protocol/error-codes.js';
import type { JsonRpcErrorObject } from '../../core/protocol/json-rpc.js';
import type { McpError } from '../../core/protocol/mcp.error.js';
import { ConcurrencyLimitedError } from '../../core/protocol/rate-limited.error.js';
import type { Authentication } from '../context/authentication.js';
import type { HttpRequest } from './network.js';

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
  /** Who sent it, if that was found out. */
  readonly authentication?: Authentication | undefined;
  /** The id of its session. @default what its HTTP header says */
  readonly sessionId?: string | undefined;
  /** The missing scopes. */
  readonly shortage?: InsufficientScope | undefined;
  /** What its sender is told instead of an error. */
  readonly incident?: string | undefined;
  /** When it came, by the clock of `performance`. @default not known */
  readonly startedAt?: number | undefined;
  /** Bytes of what was sent. @default those of the message */
  readonly requestBytes?: number | undefined;
  /** Bytes of the answer. */
  readonly answerBytes?: number | undefined;
}

/** Why a request was refused, as metrics count it. */
export type RefusalReason =
  | 'audit_unavailable'
  | 'auth_unavailable'
  | 'concurrency_limited'
  | 'forbidden'
  | 'insufficient_scope'
  | 'internal_error'
  | 'invalid_request'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'overloaded'
  | 'rate_limited'
  | 'timeout'
  | 'too_large'
  | 'unauthorized'
  | 'unknown_method'
  | 'unknown_session'
  | 'unsupported_media_type';

const BY_STATUS: ReadonlyMap<number, RefusalReason> = new Map([
  [400, 'invalid_request'],
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'unknown_session'],
  [405, 'method_not_allowed'],
  [406, 'not_acceptable'],
  [408, 'timeout'],
  [413, 'too_large'],
  [415, 'unsupported_media_type'],
  [429, 'rate_limited'],
  [500, 'internal_error'],
  [503, 'overloaded'],
]);

/** Finds the reason of a refusal by the error in the answer. */
export function selectReasonOfError({
  code,
  httpStatus,
}: Pick<McpError, 'code' | 'httpStatus'>): RefusalReason {
  return selectRefusalReason(httpStatus ?? (code === ErrorCode.InternalError ? 503 : 400), code);
}

/** Finds the reason of a refusal that the answer does not show. */
export function findHiddenReason(failure: unknown): RefusalReason | undefined {
  return failure instanceof ConcurrencyLimitedError ? 'concurrency_limited' : undefined;
}

/** Finds the reason of a refusal by the status of the answer, or else by its error. */
export function selectRefusalReason(status: number | undefined, code: number): RefusalReason {
  if (code === ErrorCode.MethodNotFound) return 'unknown_method';
  if (code === ErrorCode.RateLimited) return 'rate_limited';
  const reason = status === undefined ? undefined : BY_STATUS.get(status);
  return reason ?? (code === ErrorCode.InternalError ? 'internal_error' : 'invalid_request');
}
