import type { OnApplicationBootstrap } from '@nestjs/common';
import type { Throttling } from '../../limits/throttling.js';
import { McpConfigurationError } from '../../settings/mcp-configuration.error.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import type { MethodTable } from '../method-table.js';
import type { Call, Step } from '../step.js';

type Gate = ReturnType<Throttling['createMethodGate']>;

/** Counts requests of the methods that the option `throttle.methods` names, before anything is looked up for them. */
export class MethodLimit implements Step, OnApplicationBootstrap {
  readonly #gates: ReadonlyMap<string, Gate>;

  constructor(
    private readonly methods: MethodTable,
    throttling: Throttling,
    private readonly settings: Pick<ServerSettings, 'throttle'>,
  ) {
    const named = settings.throttle?.methods ?? [];
    this.#gates = new Map(named.map((method) => [method, throttling.createMethodGate(method)]));
  }

  get isWanted(): boolean {
    return this.#gates.size > 0;
  }

  /** @throws {McpConfigurationError} if the method does not exist. Extensions have added their methods before */
  onApplicationBootstrap(): void {
    for (const [index, name] of (this.settings.throttle?.methods ?? []).entries()) {
      if (this.methods.has(name)) continue;
      throw new McpConfigurationError(
        `throttle.methods[${index}]`,
        'must be a method that the server has, such as "tools/list"',
      );
    }
  }

  admit({ context }: Call): Promise<void> | undefined {
    return this.#gates.get(context.method)?.(context);
  }
}

/**
 * Counts the call of a handler before any code of the application runs for it. A call of a hidden entry is not counted,
 * because a limit would reveal the entry.
 */
export class HandlerLimit implements Step {
  constructor(private readonly throttling: Throttling) {}

  get isWanted(): boolean {
    return this.throttling.isOn;
  }

  watch(listener: () => void): void {
    this.throttling.watch(listener);
  }

  admit({ method, context }: Call): Promise<void> | undefined {
    return method?.countCall?.(context);
  }
}
