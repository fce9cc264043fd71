import { LRUCache } from 'lru-cache';
import type { McpClient } from '../mcp-client.js';
import type { ClientSettings } from '../options/client-settings.js';
import { McpClientConfigurationError } from '../errors/client-configuration.error.js';
import { CallerTokenSource } from './caller-token-source.js';
import { identifyCaller } from './identify-caller.js';
import type { McpCaller } from './mcp-caller.interface.js';

interface CallerClient {
  readonly client: McpClient;
  readonly tokens: CallerTokenSource;
}

/** Creates a client from its settings. */
export type CreateClient = (settings: ClientSettings) => McpClient;

/** The clients that act for callers at one server. Each caller has its own client, and shares nothing. */
export class CallerClients {
  readonly #clients: LRUCache<string, CallerClient>;
  /** Retired clients whose calls are not over. */
  readonly #leaving = new Set<McpClient>();

  constructor(
    private readonly settings: ClientSettings,
    private readonly create: CreateClient,
  ) {
    const { maximum, idleTimeoutMs } = settings.callers;
    this.#clients = new LRUCache({
      max: maximum,
      ttl: idleTimeoutMs,
      ttlAutopurge: true,
      updateAgeOnGet: true,
      dispose: ({ client }) => void this.#retire(client),
    });
  }

  /** How many there are. */
  get size(): number {
    return this.#clients.size;
  }

  /**
   * Returns the client of a caller.
   *
   * @throws {CallerUnknownError} if the caller's token does not say who the caller is
   * @throws {McpClientConfigurationError} if the server is a process, which knows no callers
   */
  get(caller: McpCaller): McpClient {
    const identity = identifyCaller(this.settings.name, caller);
    const present = this.#clients.get(identity);
    if (present === undefined || present.client.state === 'closed') return this.#add(identity, caller);
    present.tokens.renew(caller);
    return present.client;
  }

  /** Closes all of them, also those in use. */
  async close(): Promise<void> {
    this.#clients.clear();
    await Promise.all([...this.#leaving].map((client) => client.close()));
  }

  async #retire(client: McpClient): Promise<void> {
    this.#leaving.add(client);
    await client.retire();
    this.#leaving.delete(client);
  }

  #add(identity: string, caller: McpCaller): McpClient {
    const { name, server } = this.settings;
    if (!('url' in server)) {
      throw new McpClientConfigurationError(`clients.${name}.command`, 'cannot act for callers: give "url"');
    }
    const {
      audience,
      scopes,
      resource = audience === undefined ? server.url : undefined,
    } = server.exchange ?? {};
    const tokens = new CallerTokenSource(caller, { audience, resource, scopes });
    const { claims } = caller.auth;
    const client = this.create({ ...this.settings, caller: claims, server: { ...server, auth: tokens } });
    this.#clients.set(identity, { client, tokens });
    return client;
  }
}
