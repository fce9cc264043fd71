import { describeFailure } from '../../../core/log/describe-failure.js';
import { Logger } from '../../../core/logger/logger.js';
import { RetryPause } from '../../../core/async/retry.js';
import type { AuthSettings } from '../../settings/auth/auth-options.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { AuthUnavailableError } from '../errors.js';
import { fetchServerMetadata } from '../keys/issuer-metadata.js';

const MAXIMUM_AGE_MS = 10 * 60_000;
const COOLDOWN_MS = 5000;
const TIMEOUT_MS = 5000;

/**
 * Serves an authorization server's metadata at the resource, where older clients look for it.
 *
 * @see MCP 2025-03-26 basic/authorization, RFC 8414
 */
export class ServerMetadataMirror {
  readonly #logger = new Logger('McpAuth');
  readonly #read: (() => string | Promise<string>) | undefined;

  constructor({ auth }: ServerSettings) {
    this.#read = auth && this.#createReader(auth);
  }

  /** Whether the server serves the document. */
  get isServed(): boolean {
    return this.#read !== undefined;
  }

  /**
   * Returns the document as JSON, or `undefined` if the server has none.
   *
   * @throws {AuthUnavailableError} if it could never be fetched, thrown or as a rejection
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
      onFailure: (error) =>
        this.#logger.warn(`The metadata to mirror is unavailable: ${describeFailure(error).text}`),
      maxAgeMs: MAXIMUM_AGE_MS,
      cooldownMs: COOLDOWN_MS,
    });
    return () => document.read();
  }
}

/** How to mirror a document. */
interface MirrorSettings {
  /** Fetches the document. */
  readonly load: () => Promise<object>;
  /** Called with the reason for a failed fetch. */
  readonly onFailure: (error: unknown) => void;
  /** Milliseconds until it is fetched again. */
  readonly maxAgeMs: number;
  /** The maximum pause after a failure, in milliseconds. */
  readonly cooldownMs: number;
}

/** Caches a remote document for a while, and for longer if it cannot be refetched. */
export class MirroredDocument {
  #text: string | undefined;
  readonly #pause: RetryPause;
  #flight: Promise<void> | undefined;

  constructor(private readonly settings: MirrorSettings) {
    this.#pause = new RetryPause(settings.cooldownMs);
  }

  /**
   * Returns the document as JSON.
   *
   * @throws {AuthUnavailableError} if it could never be fetched
   */
  async read(): Promise<string> {
    if (this.#pause.leftMs === 0) {
      this.#flight ??= this.#refresh();
      await this.#flight;
    }
    if (this.#text !== undefined) return this.#text;
    throw new AuthUnavailableError('the document could not be fetched', {
      retryAfterSeconds: this.#pause.leftSeconds,
    });
  }

  async #refresh(): Promise<void> {
    const { load, onFailure, maxAgeMs } = this.settings;
    try {
      this.#text = JSON.stringify(await load());
      this.#pause.succeed(maxAgeMs);
    } catch (error) {
      this.#pause.fail();
      onFailure(error);
    } finally {
      this.#flight = undefined;
    }
  }
}
