import {
  Controller,
  Delete,
  Get,
  Inject,
  Options,
  Post,
  Req,
  Res,
  type Type,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import type { AdapterRequest, AdapterResponse } from './http-exchange.js';
import { HttpTransport } from './http-transport.js';
import { Public } from '../../decorators/access.decorators.js';
import { CardHandler } from './card/card.handler.js';
import { MetadataHandler } from './metadata/metadata.handler.js';
import 'reflect-metadata';

/**
 * Creates one server's controller class, because servers differ in path and decorators. The path is set when the
 * options are known.
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

/**
 * Creates the controller for the server card and the catalog. The paths are set when the options are known.
 */
export function createCardController(decorators: readonly ClassDecorator[]): Type {
  // The application may register the server's guard globally.
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

/**
 * Creates the controller for the OAuth metadata documents. The paths are set when the options are known.
 */
export function createMetadataController(decorators: readonly ClassDecorator[]): Type {
  // The application may register the server's guard globally.
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

/** Metadata key of `@ApiExcludeController()` in @nestjs/swagger 11 and 12. */
const EXCLUSION_METADATA = 'swagger/apiExcludeController';

/**
 * Excludes a controller from the OpenAPI document of `SwaggerModule`, which cannot describe MCP. The application's
 * decorator takes precedence.
 */
export function excludeFromOpenApi(controller: Type): void {
  if (Reflect.hasOwnMetadata(EXCLUSION_METADATA, controller)) return;
  Reflect.defineMetadata(EXCLUSION_METADATA, [true], controller);
}
