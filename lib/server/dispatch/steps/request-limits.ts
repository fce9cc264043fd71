import { ErrorCode } from '../../../core/protocol/error-codes.js';
import { McpError } from '../../../core/protocol/mcp.error.js';
import { assertConcise } from '../../memory/memory-limits.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import type { Call, Step } from '../step.js';
import type { OnApplicationBootstrap } from '@nestjs/common';
import type { Throttling } from '../../limits/throttling.js';
import { McpConfigurationError } from '../../settings/mcp-configuration.error.js';
import type { MethodTable } from '../method-table.js';

/** Rejects every request while the server shuts down. Running requests continue. */
export class ShutdownStep implements Step {
  isWanted = false;

  close(): void {
    this.isWanted = true;
  }

  refuse(): McpError {
    return McpError.shuttingDown(503);
  }
}

/** Rejects an id that a running request already has, because only one of the two could be cancelled. */
export class DuplicateIdStep implements Step {
  refuse({ context, arrival }: Call): McpError | undefined {
    return arrival.inFlight.has(context.id)
      ? McpError.invalidRequest('"id" is already in use by a running request')
      : undefined;
  }
}

/** Limits concurrent requests per session or connection. */
export class InFlightLimitStep implements Step {
  constructor(private readonly settings: Pick<ServerSettings, 'limits'>) {}

  refuse({ arrival: { inFlight } }: Call): McpError | undefined {
    if (inFlight.size < this.settings.limits.requestsInFlight) return undefined;
    const text = 'There are too many concurrent requests: wait for responses first';
    return new McpError(ErrorCode.InternalError, text);
  }
}

/** Rejects a large `_meta`, which would occupy memory for as long as the request runs. */
export class MetaSizeStep implements Step {
  /** @throws {McpError} -32602 if it is too long */
  admit({ context: { memory, meta } }: Call): undefined {
    if (memory !== undefined) assertConcise(meta, '"_meta"', memory);
  }
}

type Gate = ReturnType<Throttling['createMethodGate']>;

/** Counts requests of the methods in `throttle.methods`, before any lookup. */
export class MethodRateLimitStep implements Step, OnApplicationBootstrap {
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

  /** @throws {McpConfigurationError} if the method does not exist; extensions have already added theirs */
  onApplicationBootstrap(): void {
    for (const [index, name] of (this.settings.throttle?.methods ?? []).entries()) {
      if (this.methods.has(name)) continue;
      throw new McpConfigurationError(
        `throttle.methods[${index}]`,
        'must be a method that the server supports, such as "tools/list"',
      );
    }
  }

  admit({ context }: Call): Promise<void> | undefined {
    return this.#gates.get(context.method)?.(context);
  }
}

/**
 * Counts a handler call before any application code runs for it. A call to a hidden entry is not counted, because a
 * limit would reveal the entry.
 */
export class HandlerRateLimitStep implements Step {
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
