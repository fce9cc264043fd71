import { McpError } from '../../../../core/protocol/mcp.error.js';
import { type MeasuredJson, parseMeasuredJson } from '../../../../core/protocol/measured-json.js';
import { HeapCost } from '../../../memory/memory-limits.js';
import type { MemoryBudget, MemoryHold } from '../../../memory/memory-budget.js';
import type { ServerSettings } from '../../../settings/server-settings.js';
import { selectStructureBounds } from '../../../settings/limit-options.js';
import type { HttpExchange } from '../http-exchange.js';
import { BLOCK_BYTES, type BodyBounds, type CountBytes, readAnnounced } from './request-body.js';

/** A body that came with the headers is handed over one turn after the listeners of the request ran. */
export const THIS_TURN = Promise.resolve();

/** Reads bodies, and knows those that are still on their way. A server that shuts down does not wait for these. */
export class Uploads {
  readonly #bounds: BodyBounds;
  readonly #open = new Set<HttpExchange>();
  #isClosed = false;

  constructor(
    settings: ServerSettings,
    private readonly memory: MemoryBudget,
  ) {
    this.#bounds = { bytes: settings.limits.bodyBytes, ...selectStructureBounds(settings) };
  }

  /**
   * Reads a body as JSON, whether it is here or on its way.
   *
   * @param kept what the request is for, which is not given up for it
   * @throws {McpError} -32700, -32600 with HTTP status 413 or 400 if it is too large or too deep, or 503 if the server ends first
   * @throws {MemoryLimitError} if there is no room for what has come of it
   */
  async readJson(exchange: HttpExchange, kept?: MemoryHold): Promise<MeasuredJson> {
    // If a guard had its turn before, the body is here.
    const early = this.take(exchange);
    if (early !== undefined) return early;
    await THIS_TURN;
    return this.take(exchange) ?? this.receive(exchange, kept);
  }

  /**
   * Takes a complete body as JSON. Returns `undefined` if the body is not complete, or somebody else has read it.
   *
   * @throws {McpError} the same as {@link readJson}
   */
  take(exchange: HttpExchange): MeasuredJson | undefined {
    const body = exchange.takeBody(this.#bounds.bytes);
    return body && parseMeasuredJson(body, this.#bounds);
  }

  /** Reads a body as JSON that could not be {@link take taken}; the rest is the same as {@link readJson}. */
  receive(exchange: HttpExchange, kept: MemoryHold | undefined): Promise<MeasuredJson> {
    if (exchange.raw.complete) return exchange.readJson(this.#bounds);
    if (this.#isClosed) throw McpError.shuttingDown(503);
    return this.#receive(exchange, kept);
  }

  /** Refuses all incomplete uploads, and all later ones. */
  close(): void {
    this.#isClosed = true;
    for (const exchange of this.#open) exchange.refuseRest(McpError.shuttingDown(503));
  }

  /** Counts what has come of a body until it is whole: a client may take long. */
  async #receive(exchange: HttpExchange, kept: MemoryHold | undefined): Promise<MeasuredJson> {
    const hold = this.memory.holdLongLived(exchange.caller, HeapCost.request, kept);
    this.#open.add(exchange);
    try {
      return await exchange.readJson(this.#bounds, countBlocks(exchange, hold));
    } finally {
      this.#open.delete(exchange);
      hold.release();
    }
  }
}

/** Takes memory for bytes before they come, block by block, as far as the headers announce them. */
function countBlocks(exchange: HttpExchange, hold: MemoryHold): CountBytes {
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
