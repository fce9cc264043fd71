import type { Server } from 'node:http';
import type { OnModuleInit } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';
import type { ServedHandlersReport } from '../../dispatch/served-handlers-report.js';
import type { EndpointPath } from './endpoint-path.js';

/** Has what a server offers told when its application listens: every hook of the application's has run by then. */
export class EndpointReport implements OnModuleInit {
  constructor(
    private readonly offer: ServedHandlersReport,
    private readonly endpoint: EndpointPath,
    private readonly host: HttpAdapterHost,
  ) {}

  onModuleInit(): void {
    // A command or a worker has no adapter, and an adapter of the application's own may have another kind of server.
    const server = this.host.httpAdapter?.getHttpServer() as Partial<Pick<Server, 'once'>> | null | undefined;
    server?.once?.('listening', () => this.offer.log(`at ${this.endpoint.paths.join(' and ')}`));
  }
}
