import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Throttling } from '../limits/throttler/throttling.js';
import type { McpMethod } from '../methods/mcp-method.interface.js';
import { McpConfigurationError } from '../settings/mcp-configuration.error.js';
import { SERVER_SETTINGS } from '../settings/mcp.constants.js';
import type { ServerSettings } from '../settings/server-settings.js';
import { MethodTable } from './method-table.js';

/** Has requests of the methods counted that the option `throttle.methods` names. */
@Injectable()
export class ThrottledMethods implements OnApplicationBootstrap {
  constructor(
    private readonly methods: MethodTable,
    private readonly throttling: Throttling,
    @Inject(SERVER_SETTINGS) private readonly settings: ServerSettings,
  ) {}

  /** @throws {McpConfigurationError} if the method does not exist. Extensions have added their methods before */
  onApplicationBootstrap(): void {
    for (const [index, name] of (this.settings.throttle?.methods ?? []).entries()) {
      const isReplaced = this.methods.replace(name, (method) => this.#limit(method));
      if (isReplaced) continue;
      throw new McpConfigurationError(
        `throttle.methods[${index}]`,
        'must be a method that the server has, such as "tools/list"',
      );
    }
  }

  #limit(method: McpMethod): McpMethod {
    const countRequest = this.throttling.createMethodGate(method.method);
    return {
      method: method.method,
      failsAsResult: method.failsAsResult === true,
      countRequest,
      ...(method.countCall && { countCall: method.countCall.bind(method) }),
      handle: async (context) => {
        await countRequest(context);
        return method.handle(context);
      },
    };
  }
}
