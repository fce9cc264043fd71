import type { Claims } from '../../core/oauth/access-token.js';
import type { Params, RequestId } from '../../core/protocol/json-rpc.js';
import type { TransportKind } from '../settings/transport-kind.js';
import type { RequestSource } from '../telemetry/network.js';
import type { RefusalReason } from '../telemetry/refusal.js';

/** The outcome of an operation. `tool_error` is a result with `isError`. `refused` means that the server did not run it. */
export type AuditOutcome = 'ok' | 'tool_error' | 'error' | 'refused' | 'cancelled';

/**
 * What an event is about. A `question` is a finished request of the server to its client. A `question_asked` is a
 * question whose answer comes with a later request. A `task` is the run of a call as a task. A `listening_begun` is the
 * start of a request that may last, such as `subscriptions/listen`.
 */
export type AuditEventType =
  | 'request'
  | 'notification'
  | 'question'
  | 'question_asked'
  | 'task'
  | 'session_begun'
  | 'session_ended'
  | 'listening_begun';

/** The caller of a request, as far as it is known. */
export interface AuditCaller {
  /** The subject of the token (`sub`). */
  readonly subject?: string | undefined;
  /** Who issued the token (`iss`). */
  readonly issuer?: string | undefined;
  /** The client that the token was issued to. */
  readonly clientId?: string | undefined;
  /** Tells callers with a token apart, even if the token has no subject. It reveals neither token nor subject. */
  readonly identity?: string | undefined;
  /** The address of an HTTP caller. Behind a proxy, set `trust proxy` of the adapter. */
  readonly address?: string | undefined;
}

/** An HTTP request and its answer. */
export interface AuditedHttp {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** The status of the answer. */
  readonly status: number | undefined;
}

/** One operation of a server and its outcome. A member that is unknown or does not apply is absent. */
export interface AuditEvent {
  /** The unique id of the event. */
  readonly id: string;
  readonly type: AuditEventType;
  /** When the operation began. */
  readonly time: Date;
  /** The server of the application that did it. */
  readonly server: string;
  /** The process that did it, if several processes are one server. */
  readonly process?: string | undefined;
  /** The transport of the messages. */
  readonly transport?: TransportKind | undefined;
  readonly caller: AuditCaller;
  /** The session, as the first 16 digits of the SHA-256 of its id. Nobody can use the session with them. */
  readonly session?: string | undefined;
  /** The revision of the protocol. */
  readonly protocolVersion?: string | undefined;
  /** The method, such as `tools/call`. */
  readonly method?: string | undefined;
  /** The tool or prompt by its name, the resource by its URI. */
  readonly target?: string | undefined;
  /** The arguments of the call, as `audit.redact` returns them. */
  readonly arguments?: unknown;
  /** The id of the JSON-RPC request. For `notifications/cancelled`, the id of the cancelled request. */
  readonly requestId?: RequestId | undefined;
  /** The task that the request created or is about, in the same form as `session`. */
  readonly task?: string | undefined;
  /** The user's answer to a form or a page. */
  readonly action?: 'accept' | 'decline' | 'cancel' | undefined;
  /**
   * Scopes that the operation needed and the token has. Those of `auth.requiredScopes` are left out: every token has them.
   */
  readonly usedScopes: readonly string[];
  /** Scopes that the operation needed and the token lacks, also those of `auth.requiredScopes`. */
  readonly missingScopes: readonly string[];
  readonly outcome: AuditOutcome;
  /** Why the operation was refused, or why the session ended. */
  readonly reason?: RefusalReason | (string & {}) | undefined;
  /** The code of the JSON-RPC error that was answered. */
  readonly errorCode?: number | undefined;
  /** The HTTP request, if it was refused before a method was reached. */
  readonly http?: AuditedHttp | undefined;
  readonly durationMs: number;
  /** Bytes of the request as JSON. */
  readonly requestBytes: number;
  /** Bytes of the answer as JSON; 0 if there is none. */
  readonly answerBytes: number;
  /** The trace of the operation: the recorded one, or else the caller's. */
  readonly traceId?: string | undefined;
  /** The id that the client got instead of an internal error. The log has the error under this id. */
  readonly incident?: string | undefined;
}

/** Who is behind an operation, as far as that is known. */
export interface KnownCaller {
  readonly claims?: Claims | undefined;
  readonly identity?: string | undefined;
  /** The address that a session of a stranger counts for, if no message says it. @default not known */
  readonly address?: string | undefined;
}

/** An operation as it begins. */
export interface AuditedFacts {
  readonly type: AuditEventType;
  readonly source: RequestSource;
  /** How it came; absent if that is not known. */
  readonly transport: TransportKind | undefined;
  readonly caller?: KnownCaller | undefined;
  /** The fingerprint of its session. */
  readonly session?: string | undefined;
  readonly version?: string | undefined;
  readonly method?: string | undefined;
  readonly params?: Params | undefined;
  readonly requestId?: RequestId | undefined;
  readonly task?: string | undefined;
  /** The trace that telemetry records it in. */
  readonly traceId?: string | undefined;
}
