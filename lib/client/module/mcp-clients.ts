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
import { InputRequests } from './handlers/input-requests.js';
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
 * All clients of the application: injected ones, and those that act for callers.
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
   * Returns the client that is injected by a name.
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
   * Adds a client, as the module does.
   *
   * @throws {McpClientConfigurationError} if the name is taken
   */
  register(name: string, options: McpClientOptions): McpClient {
    if (this.#registered.has(name)) {
      throw new McpClientConfigurationError(
        `clients.${name}`,
        'is registered twice: give each client a name of its own',
      );
    }
    const settings = buildClientSettings(name, options);
    warnOfInsecureHosts(settings);
    const client = this.#create(settings);
    this.#registered.set(name, {
      settings,
      client,
      callers: new CallerClients(settings, (own) => this.#create(own)),
    });
    return client;
  }

  /** @throws {McpClientConfigurationError} if a handler is declared wrongly */
  onModuleInit(): void {
    this.handlers.assertFor(this.names);
  }

  /** Connects the clients that must be connected before the application starts to serve. */
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
    throw new McpClientConfigurationError(`clients.${name}`, `is not registered: ${hint}there is ${known}`);
  }

  #create(settings: ClientSettings): McpClient {
    return new McpClient(settings, new InputRequests(settings.name, this.handlers, settings.caller));
  }
}

function warnOfInsecureHosts({ name, server }: ClientSettings): void {
  const hosts = 'url' in server ? (server.insecureHosts ?? []) : [];
  if (hosts.length === 0) return;
  const listed = quoteAll(hosts);
  LOG.warn(
    `The client "${name}" has the "insecureHosts" ${listed}: tokens travel there by "http", and anyone on the network path can read them`,
  );
}
