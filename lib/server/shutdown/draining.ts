import { setTimeout as delay } from 'node:timers/promises';
import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';
import { Logger } from '../../core/logger/logger.js';
import type { ServerSettings } from '../settings/server-settings.js';
import { findDevConnection } from '../../core/development/dev-connection.js';
import { logError } from '../../core/log/describe-failure.js';

/** How often it is looked whether calls still run. */
const PERIOD_MS = 20;

/** The last part of the draining time. Requests on earlier connections are still served in it. */
const LAST_MS = 100;

/** Something that clients hold on to while the server is about to end. */
export interface DrainedPart {
  /** Is called when the server begins to drain: requests still come, and are served. */
  drain?(): void;
  /** Is called a moment before it takes no more requests: takes no further connections. */
  stopAccepting?(): void;
  /** Is called when it refuses further requests. Disconnects the clients that can come back elsewhere. */
  disconnect?(): void;
  /** Whether something runs that is to end by itself. */
  readonly isBusy?: boolean;
}

/** What is needed of an adapter: Nest calls it before it closes anything, and waits for it. */
interface ClosingAdapter {
  beforeClose?(): unknown;
  getHttpServer(): { readonly listening?: boolean } | null | undefined;
}

/** The servers of each application: they drain together. */
const drained = new WeakMap<ClosingAdapter, Draining[]>();

/**
 * Lets a server end in steps. First it says that it is not ready, and still serves requests. Then it takes no more requests,
 * sends clients elsewhere and lets running calls end. Only then does Nest destroy anything.
 */
export class Draining implements OnModuleInit, OnModuleDestroy {
  readonly #logger = new Logger('McpShutdown');
  readonly #parts: DrainedPart[] = [];
  #drained: Promise<void> | undefined;
  /** Under `nestjs-mcp-cli dev` the next process waits for the port. Asked at the start, because `dev` may end first. */
  readonly #isInDevelopment = findDevConnection(process.env) !== undefined;

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly settings: Pick<ServerSettings, 'shutdown' | 'mcpPath'>,
  ) {}

  /** Whether the server is about to end: it is not ready any more. */
  get hasBegun(): boolean {
    return this.#drained !== undefined;
  }

  add(part: DrainedPart): void {
    this.#parts.push(part);
  }

  /**
   * From Nest 12 on nothing of the application is destroyed before its adapter lets it. With `return503OnClosing` the adapter itself
   * refuses all requests from then on, so it learns of the end when all servers have drained.
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

  /** Before Nest 12 there is no earlier hook. Other parts of the application may already be destroyed in their hooks of this name. */
  onModuleDestroy(): Promise<void> {
    return this.drain();
  }

  /** Drains, once; resolves when calls have ended, or their time is over. */
  drain(): Promise<void> {
    return (this.#drained ??= this.#drain());
  }

  get #adapter(): ClosingAdapter | undefined {
    return (this.host.httpAdapter as ClosingAdapter | null | undefined) ?? undefined;
  }

  async #drain(): Promise<void> {
    const { drainMs, graceMs } = this.settings.shutdown;
    if (this.#isInDevelopment) return;
    // Nobody has to be sent elsewhere who came by a pipe.
    if (drainMs === 0 || this.#adapter?.getHttpServer()?.listening !== true) return;
    this.#logger.log(`${this.settings.mcpPath} is not ready any more, and serves requests for ${drainMs} ms`);
    this.#tellParts((part) => part.drain?.());
    const lastMs = Math.min(drainMs, LAST_MS);
    await delay(drainMs - lastMs);
    this.#tellParts((part) => part.stopAccepting?.());
    await delay(lastMs);
    this.#tellParts((part) => part.disconnect?.());
    const deadline = performance.now() + graceMs;
    while (this.#isBusy && performance.now() < deadline) await delay(PERIOD_MS);
    if (this.#isBusy) this.#logger.warn(`Calls still run after ${graceMs} ms, and are given up`);
  }

  /** What fails in one part keeps neither the others nor the application from ending. */
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
