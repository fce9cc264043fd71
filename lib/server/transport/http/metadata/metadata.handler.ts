import type { ServerResponse } from 'node:http';
import { Logger } from '../../../../core/logger/logger.js';
import type { ResourceMetadata } from '../../../auth/metadata/resource-metadata.js';
import type { ServerMetadataMirror } from '../../../auth/metadata/server-metadata-mirror.js';
import { AuthUnavailableError } from '../../../auth/errors.js';
import { logError } from '../../../../core/log/describe-failure.js';
import { getRawResponse, type AdapterResponse } from '../http-exchange.js';
import { allowAnyOrigin } from '../edge/document-routes.js';

/** Short enough for configuration changes, long enough to save requests. */
const MAXIMUM_AGE_SECONDS = 300;

/** Returns a document as JSON, if there is one. */
type Read = () => string | undefined | Promise<string>;

/** A JSON response. */
interface JsonDocument {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly text: string;
}

/** Serves a server's metadata. Nothing in the application rewrites it. */
export class MetadataHandler {
  readonly #logger = new Logger('McpAuth');

  constructor(
    private readonly resource: ResourceMetadata,
    private readonly mirror: ServerMetadataMirror,
  ) {}

  /**
   * Sends the protected resource metadata; never rejects.
   *
   * @see RFC 9728 §3.2
   */
  sendResource(response: AdapterResponse): Promise<void> {
    return this.#send(response, () => this.resource.read());
  }

  /**
   * Sends the authorization server metadata; never rejects.
   *
   * @see RFC 8414 §3.2
   */
  sendAuthorizationServer(response: AdapterResponse): Promise<void> {
    return this.#send(response, () => this.mirror.read());
  }

  async #send(response: AdapterResponse, read: Read): Promise<void> {
    const answer = await this.#build(read);
    const raw = getRawResponse(response);
    // An interceptor may have timed out, and something else may have responded.
    if (!raw.headersSent && !raw.writableEnded) write(raw, answer);
    response.hijack?.();
  }

  async #build(read: Read): Promise<JsonDocument> {
    try {
      const text = await read();
      if (text === undefined) return refuse(404, 'not_found');
      const headers = { 'Cache-Control': `public, max-age=${MAXIMUM_AGE_SECONDS}` };
      return { status: 200, headers, text };
    } catch (error) {
      if (error instanceof AuthUnavailableError) {
        const headers = { 'Retry-After': String(error.retryAfterSeconds) };
        return refuse(503, 'temporarily_unavailable', headers);
      }
      logError(this.#logger, error);
      return refuse(500, 'server_error');
    }
  }
}

function refuse(status: number, error: string, headers: JsonDocument['headers'] = {}): JsonDocument {
  return { status, headers: { 'Cache-Control': 'no-store', ...headers }, text: JSON.stringify({ error }) };
}

function write(raw: ServerResponse, { status, headers, text }: JsonDocument): void {
  allowAnyOrigin(raw);
  raw.statusCode = status;
  raw.setHeader('Content-Type', 'application/json');
  raw.setHeader('Content-Length', Buffer.byteLength(text));
  for (const [name, value] of Object.entries(headers)) raw.setHeader(name, value);
  raw.end(text);
}
