import { Inject, Injectable } from '@nestjs/common';
import { McpError } from '../../../../core/protocol/mcp.error.js';
import { parseJson } from '../../../../core/protocol/parse-message.js';
import { SERVER_SETTINGS } from '../../../settings/mcp.constants.js';
import type { ServerSettings } from '../../../settings/server-settings.js';
import type { HttpExchange } from '../http-exchange.js';

/** A body that came with the headers is handed over when whoever hears of the request has had a turn. */
const THIS_TURN = Promise.resolve();

/** Reads bodies, and knows those that are still on their way: a server that ends waits for none of them. */
@Injectable()
export class Uploads {
  readonly #open = new Set<HttpExchange>();
  #isClosed = false;

  constructor(@Inject(SERVER_SETTINGS) private readonly settings: ServerSettings) {}

  /**
   * Reads a body as JSON.
   *
   * @throws {McpError} -32700, or with HTTP status 413, or 503 where the server ends first
   */
  async readJson(exchange: HttpExchange): Promise<unknown> {
    const { bodyBytes } = this.settings.limits;
    // Where a guard had its turn before, the body is here.
    const early = exchange.takeBody(bodyBytes);
    if (early !== undefined) return parseJson(early);
    await THIS_TURN;
    const body = exchange.takeBody(bodyBytes);
    if (body !== undefined) return parseJson(body);
    if (exchange.raw.complete) return exchange.readJson(bodyBytes);
    if (this.#isClosed) throw McpError.shuttingDown(503);
    this.#open.add(exchange);
    try {
      return await exchange.readJson(bodyBytes);
    } finally {
      this.#open.delete(exchange);
    }
  }

  /** Refuses what is not whole yet, and whatever begins from now on. */
  close(): void {
    this.#isClosed = true;
    for (const exchange of this.#open) exchange.refuseRest(McpError.shuttingDown(503));
  }
}
