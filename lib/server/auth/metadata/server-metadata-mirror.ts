import { Logger } from '../../../core/logger/logger.js';
import type { AuthSettings } from '../../settings/auth/auth-options.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { fetchServerMetadata } from '../keys/issuer-metadata.js';
import { MirroredDocument } from './mirrored-document.js';
import { describeFailure } from '../../../core/log/describe-failure.js';

const MAXIMUM_AGE_MS = 10 * 60_000;
const COOLDOWN_MS = 5000;
const TIMEOUT_MS = 5000;

/**
 * Shows an authorization server's metadata to clients that look for it where the resource is.
 *
 * @see MCP 2025-03-26 basic/authorization, RFC 8414
 */
export class ServerMetadataMirror {
  readonly #logger = new Logger('McpAuth');
  readonly #read: (() => string | Promise<string>) | undefined;

  constructor({ auth }: ServerSettings) {
    this.#read = auth && this.#createReader(auth);
  }

  /** Whether the server has such a document. */
  get isServed(): boolean {
    return this.#read !== undefined;
  }

  /**
   * Returns the document as JSON, or `undefined` if the server has none.
   *
   * @throws {AuthUnavailableError} if the authorization server does not give it, and never did; the same as a rejection
   */
  read(): string | Promise<string> | undefined {
    return this.#read?.();
  }

  #createReader(auth: AuthSettings): (() => string | Promise<string>) | undefined {
    const { authorizationServerMetadata: given, authorizationServers } = auth;
    const [issuer] = authorizationServers;
    if (given === undefined) return undefined;
    if (given !== 'proxy') {
      const text = JSON.stringify(given);
      return () => text;
    }
    return issuer === undefined ? undefined : this.#mirror(issuer, auth);
  }

  #mirror(issuer: string, { insecureHosts, ignoreIssuerSlash }: AuthSettings): () => Promise<string> {
    const settings = { timeoutMs: TIMEOUT_MS, insecureHosts, ignoreIssuerSlash };
    const document = new MirroredDocument({
      load: () => fetchServerMetadata(issuer, settings),
      onFailure: (error) => this.#logger.warn(`No metadata to mirror: ${describeFailure(error).text}`),
      maxAgeMs: MAXIMUM_AGE_MS,
      cooldownMs: COOLDOWN_MS,
    });
    return () => document.read();
  }
}
