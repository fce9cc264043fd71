import type { Client, StreamableHTTPClientTransport, Transport } from '@modelcontextprotocol/client';
import type { Observable } from 'rxjs';
import { settleWithin } from '../../../core/waiting/settle-within.js';
import type { TaskProgress } from '../tasks/task-progress.js';
import type { ServerNotification } from './server-notification.interface.js';
import type { LinkWatch } from './link-watch.js';

/** The parts of a connection. */
export interface ConnectionParts {
  readonly client: Client;
  readonly transport: Transport;
  readonly watch: LinkWatch;
  /** Whether the server is a process at the other end of a pipe. */
  readonly isPipe: boolean;
  /** The notifications of the server, as they arrive. */
  readonly notifications$: Observable<ServerNotification>;
  readonly progress: TaskProgress;
}

/** How long the end of a session may take, which the server need not notice at all. */
const GOODBYE_MS = 1_000;

/** How long a call that was refused with its session has to learn of it, before all others fail too. */
const REFUSAL_MS = 1_000;

/** One connection of a client, from its handshake to the last call that it carries. */
export class Connection {
  readonly client: Client;
  readonly watch: LinkWatch;
  readonly notifications$: Observable<ServerNotification>;
  /** The progress of the tasks that calls over it became. */
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

  /** Whether each request stands for itself, as from 2026-07-28 on. */
  get isPerRequest(): boolean {
    return this.client.getProtocolEra() === 'modern';
  }

  /** Whether the server can send notifications without a listening stream. */
  get isTold(): boolean {
    return !this.isPerRequest && (this.parts.isPipe || this.watch.isStanding);
  }

  /** Does work with the official client. */
  async use<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
    this.#callsInFlight += 1;
    try {
      return await work(this.client);
    } finally {
      this.#callsInFlight -= 1;
      if (this.#isRetired && this.#callsInFlight === 0) void this.close();
    }
  }

  /** Closes the connection once the calls that it carries are over. */
  retire(): void {
    this.#isRetired = true;
    if (this.#callsInFlight === 0) void this.close();
  }

  /** Ends the session and closes the connection; calls in flight fail. It never rejects. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#endSession();
    // The connection may be gone already, and then there is nothing left to close.
    await this.client.close().catch(() => undefined);
  }

  async #endSession(): Promise<void> {
    const { transport, watch } = this.parts;
    if (transport.sessionId === undefined || watch.fault !== undefined) return;
    const ending = (transport as StreamableHTTPClientTransport).terminateSession();
    // A server may keep its sessions, or be gone: neither changes what was done.
    await settleWithin(ending, GOODBYE_MS).catch(() => undefined);
  }
}
