import { Inject } from '@nestjs/common';
import { getCatalogueToken } from '../settings/mcp.constants.js';
import { McpCatalogue } from './mcp-catalogue.js';

/**
 * Injects the catalogue of a server.
 *
 * @param server the key of the server
 * @default the default server
 *
 * @example
 * constructor(@InjectCatalogue('admin') private readonly catalogue: McpCatalogue) {}
 */
export function InjectCatalogue(server?: string): ParameterDecorator & PropertyDecorator {
  return Inject(server === undefined ? McpCatalogue : getCatalogueToken(server));
}
