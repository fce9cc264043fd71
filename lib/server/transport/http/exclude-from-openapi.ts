import 'reflect-metadata';
import type { Type } from '@nestjs/common';

/** Where `@ApiExcludeController()` of @nestjs/swagger writes, in releases 11 and 12. */
const EXCLUSION_METADATA = 'swagger/apiExcludeController';

/**
 * Keeps a controller out of the document that `SwaggerModule` makes of the application: OpenAPI has no words for MCP, whose
 * clients ask the server itself. A decorator of the application that says otherwise is kept.
 */
export function excludeFromOpenApi(controller: Type): void {
  if (Reflect.hasOwnMetadata(EXCLUSION_METADATA, controller)) return;
  Reflect.defineMetadata(EXCLUSION_METADATA, [true], controller);
}
