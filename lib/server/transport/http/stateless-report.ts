import type { OnApplicationBootstrap } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';
import { Logger } from '../../../core/logger/logger.js';
import type { ServerIdentity } from '../../settings/mcp.constants.js';
import type { ServerSettings } from '../../settings/server-settings.js';

/** Warns at start-up if processes behind a balancer would not know what another one has signed. */
export class StatelessReport implements OnApplicationBootstrap {
  readonly #logger = new Logger('McpStateless');

  constructor(
    private readonly settings: ServerSettings,
    private readonly identity: ServerIdentity,
    private readonly host: HttpAdapterHost,
  ) {}

  onApplicationBootstrap(): void {
    const { stateless, secrets } = this.settings;
    // A command or a worker serves nobody.
    const isServing = (this.host.httpAdapter as unknown) instanceof Object;
    if (!stateless || secrets.length > 0 || !isServing) return;
    this.#logger.warn(
      `Server "${this.identity.server}": "stateless" is set without "secret", so no other process can continue a call that asks the client: give all processes the same "secret"`,
    );
  }
}
