import { Inject } from '@nestjs/common';
import {
  DEFAULT_SERVER,
  getCatalogueToken,
  getExtensionsToken,
  getNotifierToken,
} from '../settings/mcp.constants.js';

/**
 * Injects the notifier of one server in an application with several.
 *
 * @example
 * constructor(\@InjectNotifier('admin') private readonly notifier: McpNotifier) {}
 */
export function InjectNotifier(server = DEFAULT_SERVER): PropertyDecorator & ParameterDecorator {
  return Inject(getNotifierToken(server));
}

/**
 * Injects the catalogue of one server in an application with several.
 *
 * @example
 * constructor(\@InjectCatalogue('admin') private readonly catalogue: McpCatalogue) {}
 */
export function InjectCatalogue(server = DEFAULT_SERVER): PropertyDecorator & ParameterDecorator {
  return Inject(getCatalogueToken(server));
}

/**
 * Injects the extensions of one server in an application with several.
 *
 * @example
 * constructor(\@InjectExtensions('admin') private readonly extensions: McpExtensions) {}
 */
export function InjectExtensions(server = DEFAULT_SERVER): PropertyDecorator & ParameterDecorator {
  return Inject(getExtensionsToken(server));
}
