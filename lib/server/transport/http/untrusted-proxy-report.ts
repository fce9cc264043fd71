import { Logger } from '../../../core/logger/logger.js';
import type { HttpExchange } from './http-exchange.js';

/** Warns, once, if callers without a token come by a proxy that the adapter does not trust: their addresses are not known then. */
export class UntrustedProxyReport {
  readonly #logger = new Logger('McpHttpTransport');
  #isTold = false;

  /** Looks at a handshake. */
  notice({ authentication, headers, request, raw }: HttpExchange): void {
    if (this.#isTold || authentication !== undefined) return;
    if (headers['x-forwarded-for'] === undefined && headers.forwarded === undefined) return;
    const { ip } = request as { readonly ip?: unknown };
    if (ip !== raw.socket.remoteAddress) return;
    this.#isTold = true;
    this.#logger.warn(
      'A proxy passes requests on, and the HTTP adapter does not trust it: callers without a token share its address, so one of them can make others begin again. Set "trust proxy" on Express, "trustProxy" on Fastify',
    );
  }
}
