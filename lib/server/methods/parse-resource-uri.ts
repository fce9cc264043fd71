import { McpError } from '../../core/protocol/mcp.error.js';
import type { RequestContext } from '../context/request-context.js';

const LONGEST_URI = 8192;

/**
 * Parses the URI of the resource that a request is about.
 *
 * @throws {McpError} -32602 if it is none
 */
export function parseResourceUri({ params }: RequestContext): string {
  const { uri } = params;
  if (typeof uri === 'string' && uri !== '' && uri.length <= LONGEST_URI) return uri;
  throw McpError.invalidParams(`"uri" must be a string of 1 to ${LONGEST_URI} characters`);
}
