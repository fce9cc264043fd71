import type { Claims } from '../../core/oauth/access-token.js';
import type { Params, RequestId } from '../../core/protocol/json-rpc.js';
import type { TransportKind } from '../settings/transport-kind.js';
import type { RequestSource } from '../telemetry/network.js';
import type { RefusalReason } from '../telemetry/refusal.js';

/** The outcome of an operation. `tool_error` is a result with `isError`. `refused` means that the server did not run it. */
export type AuditOutcome = 'ok' | 'tool_error' | 'error' | 'refused' | 'cancelled';

/**
 * An event's type. An `input_request` is a completed request to the client. An `input_request_sent` is an input
 * request whose response arrives with a later request. A `task` is a call that ran as a task. `listening_begun` marks
 * the start of a long-lived request, such as `subscriptions/listen`. The others are events of an authorization server in
 * the same application.
 */
export type AuditEventType =
  | 'request'
  | 'notification'
  | 'input_request'
  | 'input_request_sent'
  | 'task'
  | 'session_begun'
  | 'session_ended'
  | 'listening_begun'
  | 'login_begun'
  | 'login'
  | 'consent'
  | 'registration'
  | 'token_issue'
  | 'token_refresh'
  | 'token_exchange'
  | 'token_revocation';

/** What is known of a request's caller. */
export interface AuditCaller {
  /** The token subject (`sub`). */
  readonly subject?: string | undefined;
  /** The token issuer (`iss`). */
  readonly issuer?: string | undefined;
  /** The client that the token was issued to. */
  readonly clientId?: string | undefined;
  /**
   * Distinguishes callers with a token, even if the token has no subject. Reveals neither the token nor the subject.
   */
  readonly identity?: string | undefined;
  /** An HTTP caller's address. Behind a proxy, set the adapter's `trust proxy`. */
  readonly address?: string | undefined;
}

/** An HTTP request and its response. */
export interface AuditedHttp {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** The response status. */
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
  /** The messages' transport. */
  readonly transport?: TransportKind | undefined;
  readonly caller: AuditCaller;
  /** The session, identified by the first 16 hex digits of its id's SHA-256 hash, which do not grant access to it. */
  readonly session?: string | undefined;
  /** The protocol version. */
  readonly protocolVersion?: string | undefined;
  /** The method, such as `tools/call`. */
  readonly method?: string | undefined;
  /** The name of the tool or prompt, the resource URI, or the URL of the MCP server that a token is for. */
  readonly target?: string | undefined;
  /** The call's arguments, as `audit.redact` returns them. */
  readonly arguments?: unknown;
  /** The JSON-RPC request id. For `notifications/cancelled`, the cancelled request's id. */
  readonly requestId?: RequestId | undefined;
  /** The task that the request created or refers to, in the same form as `session`. */
  readonly task?: string | undefined;
  /** The user's answer to a form or URL elicitation, or on the consent page. */
  readonly action?: 'accept' | 'decline' | 'cancel' | undefined;
  /** Scopes that the operation required and the token has, except `auth.requiredScopes`, which every token has. */
  readonly usedScopes: readonly string[];
  /** Scopes that the operation required and the token lacks, including `auth.requiredScopes`. */
  readonly missingScopes: readonly string[];
  readonly outcome: AuditOutcome;
  /** Why the operation was refused, or why the session ended. */
  readonly reason?: RefusalReason | (string & {}) | undefined;
  /** The JSON-RPC error code in the response. */
  readonly errorCode?: number | undefined;
  /** The HTTP request, if it was refused before a method was reached. */
  readonly http?: AuditedHttp | undefined;
  readonly durationMs: number;
  /** The size of the request as JSON, in bytes. */
  readonly requestBytes: number;
  /** The size of the response as JSON, in bytes; 0 if there is none. */
  readonly answerBytes: number;
  /** The operation's trace: the recorded trace, or else the caller's. */
  readonly traceId?: string | undefined;
  /** The id that the client received instead of an internal error. The log contains the error under this id. */
  readonly incident?: string | undefined;
}

/** What is known of an operation's caller. */
export interface KnownCaller {
  readonly claims?: Claims | undefined;
  readonly identity?: string | undefined;
  /** The address that an anonymous session counts toward, if no message provides it. @default unknown */
  readonly address?: string | undefined;
}

/** An operation at its start. */
export interface AuditedFacts {
  readonly type: AuditEventType;
  readonly source: RequestSource;
  /** Its message's transport; absent if unknown. */
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
