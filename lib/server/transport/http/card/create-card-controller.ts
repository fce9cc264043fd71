import { Controller, Get, Inject, Req, Res, VERSION_NEUTRAL, type Type } from '@nestjs/common';
import { Public } from '../../../decorators/access.decorators.js';
import type { AdapterRequest, AdapterResponse } from '../adapter-exchange.js';
import { excludeFromOpenApi } from '../exclude-from-openapi.js';
import { CardHandler } from './card.handler.js';

/**
 * Creates the controller of the documents that describe one server before anybody connects. The paths are set when the options
 * are known.
 */
export function createCardController(decorators: readonly ClassDecorator[]): Type {
  // An application may put the server's guard before all that it has.
  @Public()
  @Controller({ version: VERSION_NEUTRAL })
  class McpCardController {
    constructor(@Inject(CardHandler) private readonly handler: CardHandler) {}

    @Get()
    card(@Req() request: AdapterRequest, @Res() response: AdapterResponse): void {
      this.handler.sendCard(request, response);
    }

    @Get()
    catalog(@Req() request: AdapterRequest, @Res() response: AdapterResponse): void {
      this.handler.sendCatalog(request, response);
    }
  }
  for (const decorate of decorators) decorate(McpCardController);
  excludeFromOpenApi(McpCardController);
  return McpCardController;
}
