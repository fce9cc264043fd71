import type { ScopeShortage } from '../../core/oauth/scope-shortage.js';
import type { JsonRpcErrorObject } from '../../core/protocol/json-rpc.js';
import type { Authentication } from '../context/authentication.interface.js';
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
  /** Who sent it, if that was found out. */
  readonly authentication?: Authentication | undefined;
  /** The id of its session. @default what its HTTP header says */
  readonly sessionId?: string | undefined;
  /** The missing scopes. */
  readonly shortage?: ScopeShortage | undefined;
  /** What its sender is told instead of an error. */
  readonly incident?: string | undefined;
  /** When it came, by the clock of `performance`. @default not known */
  readonly startedAt?: number | undefined;
  /** Bytes of what was sent. @default those of the message */
  readonly requestBytes?: number | undefined;
  /** Bytes of the answer. */
  readonly answerBytes?: number | undefined;
}
