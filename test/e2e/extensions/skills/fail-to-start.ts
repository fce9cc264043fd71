import type { Provider } from '@nestjs/common';
import { McpModule, type McpOptions } from 'nestjs-mcp';
import { bootFailure } from '../../../support/applications/boot-failure.js';

/** Gives the error with which a server of these options and providers does not start. */
export function failToStart(options: Partial<McpOptions>, providers: Provider[] = []): Promise<Error> {
  const mcp = McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' }, ...options });
  return bootFailure({ imports: [mcp], providers });
}
