import type { RequestId } from '../../core/protocol/json-rpc.js';
import type { TransportKind } from '../settings/transport-kind.js';
import type { RefusalReason } from '../telemetry/refusal-reason.js';

/** What came of an operation. `tool_error` is a result with `isError`, `refused` is what the server did not let happen. */
export type AuditOutcome = 'ok' | 'tool_error' | 'error' | 'refused' | 'cancelled';

/**
 * What an event is about. A `question` is a finished request of the server to its client. A `question_asked` is one whose
 * answer comes with another request, when it is asked. A `task` is the run of a call as a task. A `listening_begun` is the
 * beginning of a request that may last, such as `subscriptions/listen`.
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

/** Who made a request, as far as that is known. */
export interface AuditCaller {
  /** Whom the token stands for (`sub`). */
  readonly subject?: string | undefined;
  /** Who issued the token (`iss`). */
  readonly issuer?: string | undefined;
  /** The client that the token was issued to. */
  readonly clientId?: string | undefined;
  /** Tells callers with a token apart, also if the token names nobody. It reveals neither token nor subject. */
  readonly identity?: string | undefined;
  /** The address of the caller, over HTTP. Behind a proxy it is found by `trust proxy` of the adapter. */
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

/** One operation of a server, and what came of it. What is not known, or does not apply, is absent. */
export interface AuditEvent {
  /** Tells the event from all others. */
  readonly id: string;
  readonly type: AuditEventType;
  /** When the operation began. */
  readonly time: Date;
  /** Which server of the application it was. */
  readonly server: string;
  /** The process that did it, if several are one server. */
  readonly process?: string | undefined;
  /** How the messages came. */
  readonly transport?: TransportKind | undefined;
  readonly caller: AuditCaller;
  /** The session, by the first 16 digits of the SHA-256 of its id, with which nobody can use the session. */
  readonly session?: string | undefined;
  /** The revision of the protocol. */
  readonly protocolVersion?: string | undefined;
  /** The method, such as `tools/call`. */
  readonly method?: string | undefined;
  /** The tool or prompt by its name, the resource by its URI. */
  readonly target?: string | undefined;
  /** What the method was called with, as `audit.redact` gives it. */
  readonly arguments?: unknown;
  /** The id of the JSON-RPC request; of `notifications/cancelled`, that of the request which is cancelled. */
  readonly requestId?: RequestId | undefined;
  /** The task that the request made, or is about, named in the same way. */
  readonly task?: string | undefined;
  /** What a user answered who was asked by a form or sent to a page. */
  readonly action?: 'accept' | 'decline' | 'cancel' | undefined;
  /** Scopes that the operation needed, and the token has. */
  readonly usedScopes: readonly string[];
  /** Scopes that the operation needed, and the token lacks. */
  readonly missingScopes: readonly string[];
  readonly outcome: AuditOutcome;
  /** Why it was refused, or why the session ended. */
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
  /** The trace of the operation: the one that telemetry records, or else that of the caller. */
  readonly traceId?: string | undefined;
  /** The id that the client got instead of an internal error; the log has the error under it. */
  readonly incident?: string | undefined;
}
