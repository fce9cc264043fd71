import {
  Controller,
  Delete,
  Get,
  Inject,
  Options,
  Post,
  Req,
  Res,
  VERSION_NEUTRAL,
  type Type,
} from '@nestjs/common';
import type { AdapterRequest, AdapterResponse } from '../adapter-exchange.js';
import { excludeFromOpenApi } from '../exclude-from-openapi.js';
import { HttpTransport } from '../http-transport.js';

/**
 * Creates the controller of one server: a class of its own, since servers differ in path and decorators. The path is
 * set when the options are known.
 */
export function createMcpController(decorators: readonly ClassDecorator[]): Type {
  @Controller({ version: VERSION_NEUTRAL })
  class McpController {
    constructor(@Inject(HttpTransport) private readonly transport: HttpTransport) {}

    @Post()
    post(@Req() request: AdapterRequest, @Res() response: AdapterResponse): Promise<void> {
      return this.transport.handleChecked(request, response);
    }

    @Get()
    get(@Req() request: AdapterRequest, @Res() response: AdapterResponse): Promise<void> {
      return this.transport.handleChecked(request, response);
    }

    @Delete()
    delete(@Req() request: AdapterRequest, @Res() response: AdapterResponse): Promise<void> {
      return this.transport.handleChecked(request, response);
    }

    @Options()
    options(@Req() request: AdapterRequest, @Res() response: AdapterResponse): Promise<void> {
      return this.transport.handle(request, response);
    }
  }
  for (const decorate of decorators) decorate(McpController);
  excludeFromOpenApi(McpController);
  return McpController;
}
