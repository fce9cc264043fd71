import { Injectable } from '@nestjs/common';
import { asserting, milliseconds, nonEmptyString } from '../../../core/checks/option-checks.js';
import { optionGroup } from '../../../core/checks/option-group.js';
import { McpClientConfigurationError } from '../errors.js';
import { McpClients } from '../mcp-clients.js';

/** A check's result, in the form of Terminus. */
export type McpClientHealth<Key extends string> = {
  readonly [Name in Key]: {
    readonly status: 'up' | 'down';
    readonly state: string;
    readonly message?: string;
  };
};

/** Options of a check. */
export interface McpClientHealthOptions {
  /** The client to check. @default the client with the same name as the check */
  readonly client?: string;
  /** Milliseconds to wait for the server. @default 1000 */
  readonly timeoutMs?: number;
}

export const PING_CHECK = optionGroup<McpClientHealthOptions, 'client'>({
  client: nonEmptyString,
  timeoutMs: [milliseconds, 1000],
});

/**
 * Checks clients' servers for Terminus.
 *
 * @example
 * class HealthController { @HealthCheck()
 *   check() {
 *     return this.health.check([() => this.mcp.pingCheck('desk')]);
 *   }
 * }
 *
 * @see https://docs.nestjs.com/recipes/terminus
 */
@Injectable()
export class McpClientHealthIndicator {
  constructor(private readonly clients: McpClients) {}

  /**
   * Checks whether a client's server responds. Connects first if there is no connection.
   *
   * @throws {McpClientConfigurationError} if an option is invalid; the error names the first one
   */
  async pingCheck<Key extends string>(
    key: Key,
    options: McpClientHealthOptions = {},
  ): Promise<McpClientHealth<Key>> {
    asserting(McpClientConfigurationError, () => PING_CHECK.check('pingCheck', options));
    const { client: name = key, timeoutMs } = PING_CHECK.build(options);
    const client = this.clients.get(name);
    try {
      await client.ping({ timeoutMs, signal: AbortSignal.timeout(timeoutMs) });
      return { [key]: { status: 'up', state: client.state } } as McpClientHealth<Key>;
    } catch {
      // Health checks are often public, so the reason is omitted. The client's state and call errors contain it.
      const message = `The server did not respond within ${timeoutMs} ms`;
      return { [key]: { status: 'down', state: client.state, message } } as McpClientHealth<Key>;
    }
  }
}
