import type { InsufficientScope } from '../../core/oauth/auth.error.js';
import { ErrorCode } from '../../core/protocol/error-codes.js';
import type { JsonRpcErrorObject } from '../../core/protocol/json-rpc.js';
import type { McpError } from '../../core/protocol/mcp.error.js';
import { ConcurrencyLimitedError } from '../../core/protocol/rate-limited.error.js';
import type { Authentication } from '../context/authentication.js';
import type { HttpRequest } from './network.js';

/** A request that was refused before it reached a method. */
export interface Refusal {
  /** @default the reason of the HTTP status, or else of the error */
  readonly reason?: RefusalReason | undefined;
  /** The error that the client receives. */
  readonly error: JsonRpcErrorObject;
  /** The HTTP response's status, if there is one. */
  readonly status?: number | undefined;
  /** The refused message, if it was read. */
  readonly message?: unknown;
  readonly http?: HttpRequest | undefined;
  readonly isPipe?: boolean | undefined;
  /** The authenticated caller, if known. */
  readonly authentication?: Authentication | undefined;
  /** Its session's id. @default the id in its HTTP header */
  readonly sessionId?: string | undefined;
  /** The missing scopes. */
  readonly shortage?: InsufficientScope | undefined;
  /** The incident id that the client receives instead of the error. */
  readonly incident?: string | undefined;
  /** When it arrived, on the `performance` clock. @default unknown */
  readonly startedAt?: number | undefined;
  /** The size of the request in bytes. @default the message size */
  readonly requestBytes?: number | undefined;
  /** Bytes of the response. */
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

/** Returns the reason for a refusal, from the error in the response. */
export function selectReasonOfError({
  code,
  httpStatus,
}: Pick<McpError, 'code' | 'httpStatus'>): RefusalReason {
  return selectRefusalReason(httpStatus ?? (code === ErrorCode.InternalError ? 503 : 400), code);
}

/** Returns the reason for a refusal that the response does not show. */
export function findHiddenReason(failure: unknown): RefusalReason | undefined {
  return failure instanceof ConcurrencyLimitedError ? 'concurrency_limited' : undefined;
}

/** Returns the reason for a refusal, from the response status or else from its error. */
export function selectRefusalReason(status: number | undefined, code: number): RefusalReason {
  if (code === ErrorCode.MethodNotFound) return 'unknown_method';
  if (code === ErrorCode.RateLimited) return 'rate_limited';
  const reason = status === undefined ? undefined : BY_STATUS.get(status);
  return reason ?? (code === ErrorCode.InternalError ? 'internal_error' : 'invalid_request');
}
