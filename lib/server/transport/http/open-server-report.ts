import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OnApplicationBootstrap } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';
import { Logger } from '../../../core/logger/logger.js';
import { isLoopbackAddress } from '../../../core/network/is-loopback-address.js';
import type { ServerIdentity } from '../../settings/mcp.constants.js';
import type { ServerSettings } from '../../settings/server-settings.js';

/** What is needed of the application's server. */
type ListeningServer = Partial<Pick<Server, 'once' | 'address'>>;

const EVERY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** Warns, once, if a server that asks nobody for a token listens where other machines reach it. */
export class OpenServerReport implements OnApplicationBootstrap {
  readonly #logger = new Logger('Mcp');

  constructor(
    private readonly settings: Pick<ServerSettings, 'auth' | 'isMeantOpen'>,
    private readonly identity: ServerIdentity,
    private readonly host: HttpAdapterHost,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.auth !== undefined || this.settings.isMeantOpen) return;
    // A command or a worker has no adapter; if a platform calls the application, its server never listens.
    const server = this.host.httpAdapter?.getHttpServer() as ListeningServer | null | undefined;
    const address = server?.address?.() ?? undefined;
    // An application may be initialized when its server listens already.
    if (address !== undefined) this.#judge(address);
    else server?.once?.('listening', () => this.#judge(server.address?.()));
  }

  /** A socket in the file system is guarded by that. */
  #judge(address: AddressInfo | string | null | undefined): void {
    if (typeof address !== 'object' || address === null || isLoopbackAddress(address.address)) return;
    const place = EVERY_ADDRESS.has(address.address)
      ? `on all interfaces, port ${address.port}`
      : `at ${address.address}, port ${address.port}`;
    this.#logger.warn(
      `Server "${this.identity.server}" asks nobody for a token and listens ${place}: give "auth", listen on 127.0.0.1, or write "auth: false" if everybody may call it`,
    );
  }
}
