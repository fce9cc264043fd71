import { Controller, Get, Inject, Res, VERSION_NEUTRAL, type Type } from '@nestjs/common';
import { Public } from '../../../decorators/access.decorators.js';
import type { AdapterResponse } from '../adapter-exchange.js';
import { excludeFromOpenApi } from '../exclude-from-openapi.js';
import { MetadataHandler } from './metadata.handler.js';

/**
 * Creates the controller of the documents that tell clients of a server where to get tokens. The paths are set when the
 * options are known.
 */
export function createMetadataController(decorators: readonly ClassDecorator[]): Type {
  // An application may put the server's guard before all that it has.
  @Public()
  @Controller({ version: VERSION_NEUTRAL })
  class McpMetadataController {
    constructor(@Inject(MetadataHandler) private readonly handler: MetadataHandler) {}

    @Get()
    resource(@Res() response: AdapterResponse): Promise<void> {
      return this.handler.sendResource(response);
    }

    @Get()
    authorizationServer(@Res() response: AdapterResponse): Promise<void> {
      return this.handler.sendAuthorizationServer(response);
    }
  }
  for (const decorate of decorators) decorate(McpMetadataController);
  excludeFromOpenApi(McpMetadataController);
  return McpMetadataController;
}
