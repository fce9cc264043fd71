import { setTimeout as delay } from 'node:timers/promises';
import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';
import { Logger } from '../../core/logger/logger.js';
import type { ServerSettings } from '../settings/server-settings.js';
import { findDevConnection } from '../../core/development/dev-connection.js';
import { logError } from '../../core/log/describe-failure.js';

/** The interval at which running calls are checked. */
const PERIOD_MS = 20;

/** The last part of the draining time, in which requests on open connections are still served. */
const LAST_MS = 100;

/** A part of the server to which clients stay connected during shutdown. */
export interface DrainedPart {
  /** Called when draining begins. Requests still arrive and are served. */
  drain?(): void;
  /** Called shortly before requests are rejected. Stops accepting connections. */
  stopAccepting?(): void;
  /** Called when further requests are rejected. Disconnects clients that can reconnect to another process. */
  disconnect?(): void;
  /** Whether running work should be allowed to finish. */
  readonly isBusy?: boolean;
}

/** The parts of an adapter used here. Nest awaits `beforeClose` before it closes anything. */
interface ClosingAdapter {
  beforeClose?(): unknown;
  getHttpServer(): { readonly listening?: boolean } | null | undefined;
}

/** Each application's servers, which drain together. */
const drained = new WeakMap<ClosingAdapter, Draining[]>();

/**
 * Shuts a server down in steps. First, it reports that it is not ready, but still serves requests. Then, it rejects
 * requests, disconnects clients and lets running calls finish. Only after that does Nest destroy providers.
 */
export class Draining implements OnModuleInit, OnModuleDestroy {
  readonly #logger = new Logger('McpShutdown');
  readonly #parts: DrainedPart[] = [];
  #drained: Promise<void> | undefined;
  /**
   * Under `nestjs-mcp-cli dev`, the next process waits for the port. Read at startup, because `dev` may exit first.
   */
  readonly #isInDevelopment = findDevConnection(process.env) !== undefined;

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly settings: Pick<ServerSettings, 'shutdown' | 'mcpPath'>,
  ) {}

  /** Whether the server is shutting down and no longer ready. */
  get hasBegun(): boolean {
    return this.#drained !== undefined;
  }

  add(part: DrainedPart): void {
    this.#parts.push(part);
  }

  /**
   * From Nest 12 on, the adapter's `beforeClose` runs before anything is destroyed. With `return503OnClosing`, the
   * adapter rejects all requests from then on, so it must be notified of the shutdown after all servers have drained.
   */
  onModuleInit(): void {
    const adapter = this.#adapter;
    if (adapter === undefined) return;
    const others = drained.get(adapter);
    if (others !== undefined) return void others.push(this);
    const all: Draining[] = [this];
    drained.set(adapter, all);
    const beforeClose = adapter.beforeClose?.bind(adapter);
    adapter.beforeClose = async () => {
      await Promise.all(all.map((one) => one.drain()));
      await beforeClose?.();
    };
  }

  /** Before Nest 12, there is no earlier hook. Other providers may already have been destroyed. */
  onModuleDestroy(): Promise<void> {
    return this.drain();
  }

  /** Drains once. Resolves when calls have finished or their time is up. */
  drain(): Promise<void> {
    return (this.#drained ??= this.#drain());
  }

  get #adapter(): ClosingAdapter | undefined {
    return (this.host.httpAdapter as ClosingAdapter | null | undefined) ?? undefined;
  }

  async #drain(): Promise<void> {
    const { drainMs, graceMs } = this.settings.shutdown;
    if (this.#isInDevelopment) return;
    // Only HTTP clients can reconnect to another process.
    if (drainMs === 0 || this.#adapter?.getHttpServer()?.listening !== true) return;
    this.#logger.log(
      `${this.settings.mcpPath} is no longer ready, but keeps serving requests for ${drainMs} ms`,
    );
    this.#tellParts((part) => part.drain?.());
    const lastMs = Math.min(drainMs, LAST_MS);
    await delay(drainMs - lastMs);
    this.#tellParts((part) => part.stopAccepting?.());
    await delay(lastMs);
    this.#tellParts((part) => part.disconnect?.());
    const deadline = performance.now() + graceMs;
    while (this.#isBusy && performance.now() < deadline) await delay(PERIOD_MS);
    if (this.#isBusy) this.#logger.warn(`Calls are still running after ${graceMs} ms and are abandoned`);
  }

  /** An error in one part must not stop the others or the shutdown. */
  #tellParts(tell: (part: DrainedPart) => void): void {
    for (const part of this.#parts) {
      try {
        tell(part);
      } catch (error) {
        logError(this.#logger, error);
      }
    }
  }

  get #isBusy(): boolean {
    return this.#parts.some(({ isBusy }) => isBusy === true);
  }
}
