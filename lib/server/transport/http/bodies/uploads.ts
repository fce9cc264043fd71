import { McpError } from '../../../../core/protocol/mcp.error.js';
import { type MeasuredJson, parseMeasuredJson } from '../../../../core/protocol/measured-json.js';
import { HeapCost } from '../../../memory/memory-limits.js';
import type { MemoryBudget, MemoryReservation } from '../../../memory/memory-budget.js';
import type { ServerSettings } from '../../../settings/server-settings.js';
import { selectStructureBounds } from '../../../settings/limit-options.js';
import type { HttpExchange } from '../http-exchange.js';
import { BLOCK_BYTES, type BodyLimits, type CountBytes, readAnnounced } from './request-body.js';

/** A body that arrives with the headers is available one microtask after the request listeners ran. */
export const THIS_TURN = Promise.resolve();

/** Reads bodies and tracks incomplete ones, which do not delay a shutdown. */
export class Uploads {
  readonly #limit: BodyLimits;
  readonly #open = new Set<HttpExchange>();
  #isClosed = false;

  constructor(
    settings: ServerSettings,
    private readonly memory: MemoryBudget,
  ) {
    this.#limit = { bytes: settings.limits.bodyBytes, ...selectStructureBounds(settings) };
  }

  /**
   * Reads a body as JSON.
   *
   * @param excluded the hold that the request belongs to, which is not evicted for it
   * @throws {McpError} -32700, or -32600 with HTTP status 413 or 400 if it is too large or too deep, or 503 during shutdown
   * @throws {MemoryLimitError} if its content does not fit
   */
  async readJson(exchange: HttpExchange, excluded?: MemoryReservation): Promise<MeasuredJson> {
    // After an asynchronous guard, the body has arrived.
    const early = this.take(exchange);
    if (early !== undefined) return early;
    await THIS_TURN;
    return this.take(exchange) ?? this.receive(exchange, excluded);
  }

  /**
   * Returns a complete body as JSON, or `undefined` if it is incomplete or something else has read it.
   *
   * @throws {McpError} as {@link readJson} does
   */
  take(exchange: HttpExchange): MeasuredJson | undefined {
    const body = exchange.takeBody(this.#limit.bytes);
    return body && parseMeasuredJson(body, this.#limit);
  }

  /** Reads an incomplete body as JSON, otherwise as {@link readJson} does. */
  receive(exchange: HttpExchange, excluded: MemoryReservation | undefined): Promise<MeasuredJson> {
    if (exchange.raw.complete) return exchange.readJson(this.#limit);
    if (this.#isClosed) throw McpError.shuttingDown(503);
    return this.#receive(exchange, excluded);
  }

  /** Rejects all incomplete and later uploads. */
  close(): void {
    this.#isClosed = true;
    for (const exchange of this.#open) exchange.refuseRest(McpError.shuttingDown(503));
  }

  /** Counts memory for a body until it is complete, because its client may be slow. */
  async #receive(exchange: HttpExchange, excluded: MemoryReservation | undefined): Promise<MeasuredJson> {
    const hold = this.memory.holdLongLived(exchange.caller, HeapCost.request, excluded);
    this.#open.add(exchange);
    try {
      return await exchange.readJson(this.#limit, countBlocks(exchange, hold));
    } finally {
      this.#open.delete(exchange);
      hold.release();
    }
  }
}

/** Counts memory before the bytes arrive, block by block, up to the announced length. */
function countBlocks(exchange: HttpExchange, hold: MemoryReservation): CountBytes {
  const announced = readAnnounced(exchange);
  let taken = 0;
  let come = 0;
  return (bytes) => {
    if (come === 0 && Number.isFinite(announced)) hold.assertCanTake(announced);
    come += bytes;
    while (taken < come) {
      const step = Math.max(Math.min(BLOCK_BYTES, announced - taken), come - taken);
      hold.add(step);
      taken += step;
    }
  };
}
