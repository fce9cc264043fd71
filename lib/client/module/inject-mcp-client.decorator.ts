import { Inject } from '@nestjs/common';
import { getMcpClientToken } from './client-module.constants.js';

/**
 * Injects the client of a name.
 *
 * @example
 * constructor(@InjectMcpClient('desk') private readonly desk: McpClient) {}
 */
export function InjectMcpClient(name: string): PropertyDecorator & ParameterDecorator {
  return Inject(getMcpClientToken(name));
}
