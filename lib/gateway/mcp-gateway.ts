import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { McpClients } from '../client/module/index.js';
import { assertClientOptions } from '../client/module/options/mcp-client-options.js';
import { McpConfigurationError, type McpCatalog, type McpNotifier } from '../index.js';
import { formatSuggestion } from '../core/checks/suggest-names.js';
import { GatewayServer, type GatewayServerStatus } from './servers/gateway-server.js';
import type { GatewayServerSettings } from './settings/gateway-options.js';

/**
 * Provides the state of the servers behind a gateway, and confirms their tools.
 *
 * @example
 * class Operations { constructor(private readonly gateway: McpGateway) {}
 *   listFailing() {
 *     return this.gateway.servers.filter(({ state }) => state === 'failing');
 *   }
 * }
 */
export class McpGateway implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #servers = new Map<string, GatewayServer>();

  /** Gateways are created by `McpGatewayModule`. */
  constructor(
    settings: readonly GatewayServerSettings[],
    catalog: McpCatalog,
    clients: McpClients,
    notifier: McpNotifier,
  ) {
    for (const server of settings) {
      assertClientOptions(`gateway.servers.${server.name}`, server.client);
      this.#servers.set(server.name, new GatewayServer(server, catalog, clients, notifier));
    }
  }

  /** Each server's state. */
  get servers(): readonly GatewayServerStatus[] {
    return [...this.#servers.values()].map(({ status }) => status);
  }

  /**
   * Returns the digests of a server's tools, for the `pinned` option.
   *
   * @throws {McpConfigurationError} if there is no such server
   */
  digests(server: string): { readonly [tool: string]: string } {
    return this.#get(server).entries.digests;
  }

  /**
   * Confirms a tool's current definition, so that it is listed and can be called. Returns whether the server has the
   * tool. The confirmation is lost when the process ends: set `pinned` to make it permanent.
   *
   * @throws {McpConfigurationError} if there is no such server
   */
  confirm(server: string, tool: string): boolean {
    return this.#get(server).entries.confirm(tool);
  }

  /**
   * Reads a server's lists again.
   *
   * @throws {McpConfigurationError} if there is no such server
   * @throws {McpClientUnavailableError} if it cannot be reached
   */
  async refresh(server: string): Promise<void> {
    await this.#get(server).refresh();
  }

  onApplicationBootstrap(): void {
    for (const server of this.#servers.values()) server.begin();
  }

  onApplicationShutdown(): void {
    for (const server of this.#servers.values()) server.close();
  }

  #get(name: string): GatewayServer {
    const server = this.#servers.get(name);
    if (server !== undefined) return server;
    const hint = formatSuggestion(name, [...this.#servers.keys()]);
    throw new McpConfigurationError(`gateway.servers.${name}`, `does not exist: ${hint}add it to "servers"`);
  }
}
