import type { Claims } from '../../core/oauth/access-token.js';
import type { Params, RequestId } from '../../core/protocol/json-rpc.js';
import type { TransportKind } from '../settings/transport-kind.js';
import type { RequestSource } from '../telemetry/network.js';
import type { RefusalReason } from '../telemetry/refusal.js';

/** The outcome of an operation. `tool_error` is a result with `isError`. `refused` means that the server did not run it. */
export type AuditOutcome = 'ok' | 'tool_error' | 'error' | 'refused' | 'cancelled';

/**
 * The type of an event. An `input_request` is a completed request to the client. An `input_request_sent` is an input
 * request whose answer arrives with a later request. A `task` is a call that ran as a task. A `listening_begun` is
 * the start of a long-lived request, such as `subscriptions/listen`.
 */
export type AuditEventType =
  | 'request'
  | 'notification'
  | 'input_request'
  | 'input_request_sent'
  | 'task'
  | 'session_begun'
  | 'session_ended'
  | 'listening_begun';

/** The caller of a request, as far as it is known. */
export interface AuditCaller {
  /** The subject of the token (`sub`). */
  readonly subject?: string | undefined;
  /** The issuer of the token (`iss`). */
  readonly issuer?: string | undefined;
  /** The client that the token was issued to. */
  readonly clientId?: string | undefined;
  /** Distinguishes callers with a token, even if the token has no subject. It reveals neither token nor subject. */
  readonly identity?: string | undefined;
  /** The address of an HTTP caller. Behind a proxy, set `trust proxy` of the adapter. */
  readonly address?: string | undefined;
}

/** An HTTP request and its response. */
export interface AuditedHttp {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** The status of the response. */
  readonly status: number | undefined;
}

/** One operation of a server and its outcome. A property that is unknown or does not apply is absent. */
export interface AuditEvent {
  /** The unique id of the event. */
  readonly id: string;
  readonly type: AuditEventType;
  /** When the operation began. */
  readonly time: Date;
  /** The server that ran the operation. */
  readonly server: string;
  /** The process that ran the operation, in a cluster. */
  readonly process?: string | undefined;
  /** The transport of the messages. */
  readonly transport?: TransportKind | undefined;
  readonly caller: AuditCaller;
  /** The session, as the first 16 digits of the SHA-256 of its id. They do not give access to the session. */
  readonly session?: string | undefined;
  /** The protocol version. */
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
  /** The user's answer to a form or URL elicitation. */
  readonly action?: 'accept' | 'decline' | 'cancel' | undefined;
  /** Scopes that the operation required and the token has, except `auth.requiredScopes`, which every token has. */
  readonly usedScopes: readonly string[];
  /** Scopes that the operation required and the token lacks, including `auth.requiredScopes`. */
  readonly missingScopes: readonly string[];
  readonly outcome: AuditOutcome;
  /** Why the operation was refused, or why the session ended. */
  readonly reason?: RefusalReason | (string & {}) | undefined;
  /** The code of the JSON-RPC error in the response. */
  readonly errorCode?: number | undefined;
  /** The HTTP request, if it was refused before a method was reached. */
  readonly http?: AuditedHttp | undefined;
  readonly durationMs: number;
  /** Bytes of the request as JSON. */
  readonly requestBytes: number;
  /** Bytes of the response as JSON; 0 if there is none. */
  readonly answerBytes: number;
  /** The trace of the operation: the recorded one, or else the caller's. */
  readonly traceId?: string | undefined;
  /** The id that the client received instead of an internal error. The log contains the error under this id. */
  readonly incident?: string | undefined;
}

/** The caller of an operation, as far as it is known. */
export interface KnownCaller {
  readonly claims?: Claims | undefined;
  readonly identity?: string | undefined;
  /** The address that an anonymous session counts towards, if no message provides it. @default unknown */
  readonly address?: string | undefined;
}

/** An operation as it begins. */
export interface AuditedFacts {
  readonly type: AuditEventType;
  readonly source: RequestSource;
  /** The transport of its message; absent if unknown. */
  readonly transport: TransportKind | undefined;
  readonly caller?: KnownCaller | undefined;
  /** The fingerprint of its session. */
  readonly session?: string | undefined;
  readonly version?: string | undefined;
  readonly method?: string | undefined;
  readonly params?: Params | undefined;
  readonly requestId?: RequestId | undefined;
  readonly task?: string | undefined;
  /** The id of the recorded trace. */
  readonly traceId?: string | undefined;
}
