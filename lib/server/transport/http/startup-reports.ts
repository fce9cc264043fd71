import type { Server } from 'node:http';
import type { OnApplicationBootstrap, OnModuleInit } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';
import type { ServedHandlersReport } from '../../dispatch/served-handlers-report.js';
import type { EndpointPath } from './endpoint-path.js';
import type { AddressInfo } from 'node:net';
import { Logger } from '../../../core/logger/logger.js';
import { isLoopbackAddress } from '../../../core/network/address-networks.js';
import type { ServerIdentity } from '../../settings/mcp.constants.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { isOfController, listLayers, takesMethod } from './edge/express-edge.js';

/** Logs what a server offers when its application listens, after every startup hook. */
export class EndpointReport implements OnModuleInit {
  constructor(
    private readonly offer: ServedHandlersReport,
    private readonly endpoint: EndpointPath,
    private readonly host: HttpAdapterHost,
  ) {}

  onModuleInit(): void {
    // A command or a worker has no adapter, and a custom adapter may have a different kind of server.
    const server = this.host.httpAdapter?.getHttpServer() as Partial<Pick<Server, 'once'>> | null | undefined;
    server?.once?.('listening', () => this.offer.log(`at ${this.endpoint.paths.join(' and ')}`));
  }
}

/** The parts of the application's server used here. */
type ListeningServer = Partial<Pick<Server, 'once' | 'address'>>;

const EVERY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** Warns once if a server without authentication is reachable from other machines. */
export class OpenServerWarning implements OnApplicationBootstrap {
  readonly #logger = new Logger('Mcp');

  constructor(
    private readonly settings: Pick<ServerSettings, 'auth' | 'isMeantOpen'>,
    private readonly identity: ServerIdentity,
    private readonly host: HttpAdapterHost,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.auth !== undefined || this.settings.isMeantOpen) return;
    // A command or a worker has no adapter; on a serverless platform, the server never listens.
    const server = this.host.httpAdapter?.getHttpServer() as ListeningServer | null | undefined;
    const address = server?.address?.() ?? undefined;
    // The server may listen before the application is initialized.
    if (address !== undefined) this.#judge(address);
    else server?.once?.('listening', () => this.#judge(server.address?.()));
  }

  /** A Unix socket is protected by file permissions. */
  #judge(address: AddressInfo | string | null | undefined): void {
    if (typeof address !== 'object' || address === null || isLoopbackAddress(address.address)) return;
    const place = EVERY_ADDRESS.has(address.address)
      ? `on all interfaces, port ${address.port}`
      : `on ${address.address}, port ${address.port}`;
    this.#logger.warn(
      `Server "${this.identity.server}" has no authentication and is listening ${place}: set "auth", listen on 127.0.0.1, or set "auth: false" if it is meant to be public`,
    );
  }
}

/** Warns at startup if processes behind a load balancer could not verify each other's signatures. */
export class StatelessSecretWarning implements OnApplicationBootstrap {
  readonly #logger = new Logger('McpStateless');

  constructor(
    private readonly settings: ServerSettings,
    private readonly identity: ServerIdentity,
    private readonly host: HttpAdapterHost,
  ) {}

  onApplicationBootstrap(): void {
    const { stateless, secrets } = this.settings;
    // A command or a worker serves no clients.
    const isServing = (this.host.httpAdapter as unknown) instanceof Object;
    if (!stateless || secrets.length > 0 || !isServing) return;
    this.#logger.warn(
      `Server "${this.identity.server}": "stateless" is set without "secret", so no other process can continue a call that requests client input: set the same "secret" in all processes`,
    );
  }
}

/**
 * Warns if routes of other controllers of an Express application match the endpoint: the one registered first handles its requests, and
 * Express does not report the conflict. Fastify refuses to start.
 */
export class OverlappingRoutesWarning implements OnApplicationBootstrap {
  readonly #logger = new Logger('McpHttpTransport');

  constructor(
    private readonly endpoint: EndpointPath,
    private readonly host: HttpAdapterHost,
  ) {}

  onApplicationBootstrap(): void {
    for (const path of this.endpoint.paths) {
      const found = this.#listPaths(path);
      if (found.length < 2) continue;
      const quoted = found.map((one) => JSON.stringify(one)).join(' and ');
      this.#logger.warn(
        `POST ${path} has ${found.length} routes: ${quoted}. The route that was registered first handles requests. Remove the other controller, or choose a different "mcpPath"`,
      );
    }
  }

  /** Lists the routes that may handle a message. Routes after the last one at the exact path never run. */
  #listPaths(path: string): readonly string[] {
    const { httpAdapter } = this.host;
    if (httpAdapter?.getType() !== 'express') return [];
    const found = listLayers(httpAdapter).flatMap((layer) => {
      const { route } = layer;
      const isFound = route !== undefined && isOfController(route) && takesMethod(route, 'post');
      return isFound && layer.match(path) ? [String(route.path)] : [];
    });
    return found.slice(0, found.lastIndexOf(path) + 1);
  }
}
