import {
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { formatSuggestion } from '../../core/checks/suggest-names.js';
import { Logger } from '../../core/logger/logger.js';
import { quoteAll } from '../../core/words/words.js';
import { CallerClients, type McpCaller } from './caller-clients.js';
import { McpClientConfigurationError } from './errors.js';
import { InputRequestHandlers } from './handlers/input-request-handlers.js';
import type { McpInputRequestHandlers } from './handlers/input-request.decorators.js';
import { InputRequests, offerHandlers } from './handlers/input-requests.js';
import { McpClient } from './mcp-client.js';
import { buildClientSettings, type ClientSettings } from './options/client-settings.js';
import type { McpClientOptions } from './options/mcp-client-options.js';

interface Registered {
  readonly settings: ClientSettings;
  readonly client: McpClient;
  readonly callers: CallerClients;
}

const LOG = new Logger('McpClient');

/**
 * All of the application's clients: injected ones, and those that act on behalf of callers.
 *
 * @example
 * class Overview { @Tool()
 *   list(_args: object, context: McpContext) {
 *     return this.clients.forCaller('desk', context).callTool('list');
 *   }
 * }
 */
@Injectable()
export class McpClients implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  readonly #registered = new Map<string, Registered>();

  constructor(private readonly handlers: InputRequestHandlers) {}

  /** The names of all clients. */
  get names(): readonly string[] {
    return [...this.#registered.keys()];
  }

  /**
   * Returns the client with this name.
   *
   * @throws {McpClientConfigurationError} if there is none with this name
   */
  get(name: string): McpClient {
    return this.#get(name).client;
  }

  /**
   * Returns a client that acts on behalf of a caller. It exchanges the caller's token for a separate one, and shares
   * nothing with other clients. Get it in each call, because idle clients are closed.
   *
   * @throws {CallerUnknownError} if the caller's token does not identify the caller
   * @see RFC 8693
   */
  forCaller(name: string, caller: McpCaller): McpClient {
    return this.#get(name).callers.get(caller);
  }

  /**
   * Adds a client at run time.
   *
   * @param inputRequests handles the input requests of its server, instead of decorated methods
   * @throws {McpClientConfigurationError} if the name is taken
   */
  register(name: string, options: McpClientOptions, inputRequests?: McpInputRequestHandlers): McpClient {
    if (this.#registered.has(name)) {
      throw new McpClientConfigurationError(
        `clients.${name}`,
        'is registered twice: give each client a unique name',
      );
    }
    const settings = buildClientSettings(name, options);
    warnOfInsecureHosts(settings);
    const handlers = inputRequests === undefined ? this.handlers : offerHandlers(inputRequests);
    const create = (own: ClientSettings) => new McpClient(own, new InputRequests(name, handlers, own.caller));
    const client = create(settings);
    this.#registered.set(name, { settings, client, callers: new CallerClients(settings, create) });
    return client;
  }

  /** @throws {McpClientConfigurationError} if a handler's declaration is invalid */
  onModuleInit(): void {
    this.handlers.assertFor(this.names);
  }

  /** Connects the clients that must be connected before the application starts serving requests. */
  async onApplicationBootstrap(): Promise<void> {
    const eager = [...this.#registered.values()].filter(({ settings }) => settings.connectOnStart);
    await Promise.all(eager.map(({ client }) => client.connect()));
  }

  async onApplicationShutdown(): Promise<void> {
    const all = [...this.#registered.values()];
    await Promise.all(all.flatMap(({ client, callers }) => [client.close(), callers.close()]));
  }

  #get(name: string): Registered {
    const registered = this.#registered.get(name);
    if (registered !== undefined) return registered;
    const hint = formatSuggestion(name, this.names);
    const known = quoteAll(this.names) || 'none';
    throw new McpClientConfigurationError(
      `clients.${name}`,
      `is not registered: ${hint}registered clients: ${known}`,
    );
  }
}

function warnOfInsecureHosts({ name, server }: ClientSettings): void {
  const hosts = 'url' in server ? (server.insecureHosts ?? []) : [];
  if (hosts.length === 0) return;
  const listed = quoteAll(hosts);
  LOG.warn(
    `The client "${name}" sets "insecureHosts" to ${listed}: tokens are sent there over "http", and anyone on the network path can read them`,
  );
}
