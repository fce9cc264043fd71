import * as check from '../../core/checks/option-checks.js';
import { optionGroup } from '../../core/checks/option-group.js';

/** Limits and recovery of sessions. */
export interface SessionOptions {
  /** The idle time after which a session without an open stream ends, in milliseconds. Requests with its id are then rejected with 404. @default 1_800_000 (30 minutes) */
  readonly idleTimeoutMs?: number;
  /**
   * Milliseconds after which an unused session ends. A session is unused if it has sent only pings since it was
   * initialized and has no open stream. @default 15_000
   */
  readonly unusedTimeoutMs?: number;
  /** The maximum number of sessions. Beyond it, the longest-idle session is evicted; if none is idle, the request is rejected with 429 and -32023. @default 10_000 @see docs/sessions.md, "Eviction" */
  readonly maxSessions?: number;
  /** The maximum number of sessions per caller, if callers are known. Beyond it, the caller's longest-idle session is evicted. @default 1000 */
  readonly maxSessionsPerCaller?: number;
  /**
   * The maximum number of anonymous sessions. Beyond it, the longest-idle anonymous session is evicted. @default half
   * of `maxSessions` with `auth`, or all of them without
   */
  readonly maxAnonymousSessions?: number;
  /**
   * The maximum number of anonymous sessions per IP address (for IPv6, only the first 64 bits). Beyond it, the
   * longest-idle one is evicted. Behind a proxy, set `trust proxy`. @default 1000 @see docs/sessions.md, "Addresses"
   */
  readonly maxSessionsPerAddress?: number;
  /** Milliseconds after which a session ends, even if it is in use. @default 86_400_000 (24 hours) */
  readonly lifetimeMs?: number;
  /** Recovers sessions that another process with the same `secret` opened, for example after a restart. @default false @see docs/sessions.md, "After a restart" */
  readonly recover?: boolean;
  /** The maximum number of resource subscriptions per session. Further ones are rejected with -32602. @default 1000 */
  readonly maxSubscriptions?: number;
  /** The maximum total length of the URIs that a session subscribed to, or of one `subscriptions/listen`, in characters. Further subscriptions are rejected with -32602. @default 262_144 */
  readonly maxSubscriptionCharacters?: number;
  /** The maximum number of messages that a session stores for a reconnecting client. The oldest are dropped; resuming from an older `Last-Event-ID` fails with 400. @default 256 */
  readonly eventLogSize?: number;
  /** The maximum total length of a session's stored messages, in characters. @default 1_048_576 */
  readonly eventLogCharacters?: number;
}

/** The other settings that the session limits depend on. */
interface SessionContext {
  readonly hasAuth: boolean;
  readonly hasCluster: boolean;
}

export const SESSIONS = optionGroup<SessionOptions, never, SessionContext>({
  idleTimeoutMs: [check.milliseconds, 30 * 60_000],
  maxSessions: [check.positive, 10_000],
  unusedTimeoutMs: [check.milliseconds, 15_000],
  maxSessionsPerCaller: [check.positive, 1000],
  maxAnonymousSessions: [
    check.positive,
    ({ maxSessions }, { hasAuth }) => (hasAuth ? Math.ceil(maxSessions / 2) : maxSessions),
  ],
  maxSessionsPerAddress: [check.positive, 1000],
  lifetimeMs: [check.positive, 24 * 60 * 60_000],
  recover: [check.flag, (_above, { hasCluster }) => hasCluster],
  maxSubscriptions: [check.positive, 1000],
  maxSubscriptionCharacters: [check.positive, 262_144],
  eventLogSize: [check.notNegative, 256],
  eventLogCharacters: [check.notNegative, 1_048_576],
});

/** Limits of event streams. */
export interface StreamOptions {
  /**
   * Milliseconds after which an unanswered call's event stream starts, if the client accepts one. 0 disables this.
   * @default 1000 @see docs/http.md, "Streams"
   */
  readonly beginAfterMs?: number;
  /** The interval of SSE comments that prevent idle timeouts, in milliseconds. @default 15_000 */
  readonly keepAliveMs?: number;
  /** The maximum number of queued bytes per stream; a single message may exceed it. Beyond it, the server closes the stream, which the client can resume. @default 1_048_576 @see docs/http.md, "Streams" */
  readonly maxQueuedBytes?: number;
  /**
   * The reconnection delay that the server suggests to disconnected clients, in milliseconds. When the server ends
   * streams, it adds up to half of this value at random, so that clients do not all reconnect at the same time.
   * @default 1000
   */
  readonly retryMs?: number;
  /**
   * The maximum duration of a session's stream, in milliseconds, for clients that can resume it. @default 0:
   * unlimited @see docs/sessions.md, "Long calls and short connections"
   */
  readonly maxAgeMs?: number;
  /** The maximum number of `subscriptions/listen` streams. Further ones are rejected with 429 and -32023. With `auth`, anonymous callers may open half of them, and a tenth per address. @default 10_000 */
  readonly maxListeners?: number;
  /** The maximum number of `subscriptions/listen` streams per caller, if callers are known. Further ones are rejected with 429 and -32023. @default 1000 */
  readonly maxListenersPerCaller?: number;
}

export const STREAMS = optionGroup<StreamOptions>({
  beginAfterMs: [check.millisecondsOrNone, 1000],
  keepAliveMs: [check.milliseconds, 15_000],
  maxQueuedBytes: [check.positive, 1_048_576],
  retryMs: [check.milliseconds, 1000],
  maxAgeMs: [check.millisecondsOrNone, 0],
  maxListeners: [check.positive, 10_000],
  maxListenersPerCaller: [check.positive, 1000],
});

/** Timeouts of input requests. */
export interface InputRequestsOptions {
  /** How long to wait for the response in a session, in milliseconds. @default 300_000 (5 minutes) */
  readonly timeoutMs?: number;
  /** How long a client without a session may wait before it retries with the input, in milliseconds. @default 3_600_000 (1 hour) */
  readonly stateLifetimeMs?: number;
}

export const REVERSE_CALLS = optionGroup<InputRequestsOptions>({
  timeoutMs: [check.milliseconds, 5 * 60_000],
  stateLifetimeMs: [check.positive, 60 * 60_000],
});

/** How a server shuts down. It does so on SIGTERM after `app.enableShutdownHooks()`, or on `app.close()`. */
export interface ShutdownOptions {
  /**
   * How long requests are still served after the readiness check fails, in milliseconds, so that a load balancer
   * notices. Has no effect under `nestjs-mcp-cli dev`.
   * @default 0: the server closes immediately
   * @see docs/health.md, "Draining"
   */
  readonly drainMs?: number;
  /**
   * How long running calls may continue after draining, in milliseconds. New requests are rejected. @default 0, or
   * 10_000 with `drainMs`
   */
  readonly graceMs?: number;
}

export const SHUTDOWN = optionGroup<ShutdownOptions>({
  drainMs: [check.millisecondsOrNone, 0],
  graceMs: [check.millisecondsOrNone, ({ drainMs }) => (drainMs === 0 ? 0 : 10_000)],
});
