import type {
  Client,
  Progress,
  StreamableHTTPClientTransport,
  Transport,
} from '@modelcontextprotocol/client';
import { ReplaySubject, type Observable } from 'rxjs';
import { settleWithin } from '../../../core/async/timeouts.js';
import type { McpClientClosedError } from '../errors.js';
import type { LinkWatch } from './link-watch.js';

/** A client's state: `idle` before its first use and after it has stopped trying to connect, `closed` permanently. */
export type McpClientState = 'idle' | 'connecting' | 'connected' | 'reconnecting' | 'closed';

/** A notification from a server. */
export interface ServerNotification {
  /** For example `notifications/tools/list_changed`. */
  readonly method: string;
  readonly params: { readonly [name: string]: unknown };
}

/** A connection's dependencies. */
interface ConnectionParts {
  readonly client: Client;
  readonly transport: Transport;
  readonly watch: LinkWatch;
  /** Whether the server is a process, over stdio. */
  readonly isStdio: boolean;
  /** The server's notifications, as they arrive. */
  readonly notifications$: Observable<ServerNotification>;
  readonly progress: TaskProgress;
}

/** Milliseconds to wait for a session to end. */
const SESSION_END_MS = 1_000;

/** Milliseconds before a connection with an ended session is closed, so that the refused call fails with its own error first. */
const REFUSAL_MS = 1_000;

/** One of a client's connections, from initialization to its last call. */
export class Connection {
  readonly client: Client;
  readonly watch: LinkWatch;
  readonly notifications$: Observable<ServerNotification>;
  /** The progress of its tasks. */
  readonly progress: TaskProgress;
  #callsInFlight = 0;
  #isRetired = false;
  #closing: Promise<void> | undefined;

  constructor(private readonly parts: ConnectionParts) {
    this.client = parts.client;
    this.watch = parts.watch;
    this.notifications$ = parts.notifications$;
    this.progress = parts.progress;
    parts.watch.onSessionEnded(() => setTimeout(() => void this.close(), REFUSAL_MS).unref());
  }

  /** Whether requests are stateless, as they are from 2026-07-28 on. */
  get isPerRequest(): boolean {
    return this.client.getProtocolEra() === 'modern';
  }

  /** Whether the server can send notifications without a listening stream. */
  get receivesNotifications(): boolean {
    return !this.isPerRequest && (this.parts.isStdio || this.watch.hasStream);
  }

  /** Runs work with the official client. */
  async use<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
    this.#callsInFlight += 1;
    try {
      return await work(this.client);
    } finally {
      this.#callsInFlight -= 1;
      if (this.#isRetired && this.#callsInFlight === 0) void this.close();
    }
  }

  /** Closes the connection once its calls have settled. */
  retire(): void {
    this.#isRetired = true;
    if (this.#callsInFlight === 0) void this.close();
  }

  /** Ends the session and closes the connection; in-flight calls fail. It never rejects. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#endSession();
    // The connection may already be closed.
    await this.client.close().catch(() => undefined);
  }

  async #endSession(): Promise<void> {
    const { transport, watch } = this.parts;
    if (transport.sessionId === undefined || watch.problem !== undefined) return;
    const ending = (transport as StreamableHTTPClientTransport).terminateSession();
    // The server may reject this or be gone, which has no consequences.
    await settleWithin(ending, SESSION_END_MS).catch(() => undefined);
  }
}

/** Progress notifications that may arrive before the task is followed. */
const MOST_EARLY_REPORTS = 100;

/**
 * The progress of one connection's tasks. The official client drops a progress token when the response arrives, but a
 * task's token is valid for as long as the task.
 *
 * @see MCP 2025-11-25 basic/utilities/tasks, "Progress"
 */
export class TaskProgress {
  readonly #reports = new Map<number, ReplaySubject<Progress>>();

  /** Records that a request's response was a task. The request id is the progress token. */
  begin(token: number): void {
    const reports = new ReplaySubject<Progress>(MOST_EARLY_REPORTS);
    this.#reports.set(token, reports);
    // The caller subscribes in this turn of the event loop, or never.
    setImmediate(() => {
      if (!reports.observed) this.end(token);
    });
  }

  /** Forwards a notification if it reports a task's progress. */
  take({ method, params }: ServerNotification): void {
    if (method !== 'notifications/progress' || this.#reports.size === 0) return;
    const { progressToken, ...report } = params;
    // A token may be returned as a string, which the official client accepts too.
    if (isProgress(report)) this.#reports.get(Number(progressToken))?.next(report);
  }

  /** Returns a task's progress, or `undefined` if the token is unknown. */
  find(token: number | undefined): Observable<Progress> | undefined {
    return token === undefined ? undefined : this.#reports.get(token);
  }

  /** Completes and removes a token's progress. */
  end(token: number): void {
    this.#reports.get(token)?.complete();
    this.#reports.delete(token);
  }
}

function isProgress(report: object): report is Progress {
  return 'progress' in report && typeof report.progress === 'number';
}

/** Work that needs a connection. */
export type ConnectedWork<Result> = (client: Client, connection: Connection) => Promise<Result>;

/** How work is run. */
export interface WorkOptions {
  readonly signal?: AbortSignal | undefined;
  /** Whether running it twice has the same effect as running it once. @default false */
  readonly isRepeatable?: boolean;
  /** Milliseconds to wait, in total, for a server that limits requests. @default the client's `limitWaitMs` */
  readonly limitWaitMs?: number | undefined;
}

/** A link as used by leased work. It stays open until the work has settled, unless the client is closed. */
export interface LinkLease {
  use<Result>(work: ConnectedWork<Result>, options?: WorkOptions): Promise<Result>;
  /** Calls a function with the reason when the link is closed, or immediately if it is closed. Returns a function that removes the listener. */
  onClosed(listener: (reason: McpClientClosedError) => void): () => void;
}
