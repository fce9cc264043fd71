import type {
  BeforeApplicationShutdown,
  OnApplicationBootstrap,
  OnApplicationShutdown,
  OnModuleDestroy,
  OnModuleInit,
} from '@nestjs/common';
import { logError } from '../../core/log/describe-failure.js';
import { Logger } from '../../core/logger/logger.js';
import type { Server } from './create-server.js';

type Hooks = OnModuleInit &
  OnApplicationBootstrap &
  OnModuleDestroy &
  BeforeApplicationShutdown &
  OnApplicationShutdown;

/**
 * One server as Nest sees it. It passes Nest's hooks on to the parts one at a time: in the order returned by
 * `createServer()`, and in reverse order on shutdown. Nest itself calls the hooks of `services`, which it provides.
 */
export class ComposedServer<Parts extends object = Server> implements Hooks {
  readonly #logger = new Logger('McpServer');
  readonly #parts: readonly Partial<Hooks>[];

  constructor(readonly parts: Parts) {
    const groups = Object.entries(parts).filter(([subject]) => subject !== 'services');
    this.#parts = listParts(groups.map(([, group]) => group as object));
  }

  async onModuleInit(): Promise<void> {
    for (const part of this.#parts) await part.onModuleInit?.();
  }

  async onApplicationBootstrap(): Promise<void> {
    for (const part of this.#parts) await part.onApplicationBootstrap?.();
  }

  onModuleDestroy(): Promise<void> {
    return this.#end((part) => part.onModuleDestroy?.());
  }

  beforeApplicationShutdown(signal?: string): Promise<void> {
    return this.#end((part) => part.beforeApplicationShutdown?.(signal));
  }

  onApplicationShutdown(signal?: string): Promise<void> {
    return this.#end((part) => part.onApplicationShutdown?.(signal));
  }

  /** Continues after an error, so that every part can shut down. */
  async #end(end: (part: Partial<Hooks>) => unknown): Promise<void> {
    for (const part of this.#parts.toReversed()) {
      try {
        await end(part);
      } catch (error) {
        logError(this.#logger, error);
      }
    }
  }
}

/** Lists the defined parts of all groups without duplicates. */
function listParts(groups: readonly object[]): readonly Partial<Hooks>[] {
  const parts: readonly unknown[] = groups.flatMap((group) => Object.values(group));
  return [...new Set(parts)].filter((part): part is object => typeof part === 'object' && part !== null);
}
