import { isObject } from '../../core/protocol/json-rpc.js';
import type { ExtensionDeclaration } from '../settings/extensions/extension.interface.js';
import { ExtensionError } from './extension.error.js';

/** A reverse-DNS prefix and a name (MCP basic, "_meta"). */
const EXTENSION_ID =
  /^[a-z](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z](?:[a-z0-9-]*[a-z0-9])?)+\/[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?$/i;

/** Prefixes that are reserved for the protocol, by their second label (MCP basic, "_meta"). */
const PROTOCOL_PREFIX = /^[^./]+\.(?:modelcontextprotocol|mcp)[./]/i;

/**
 * Checks the id of an extension, and that a prefix of the protocol is used on purpose.
 *
 * @throws {ExtensionError} if it is no id, or has a prefix of the protocol without being a published extension
 */
export function assertExtensionId({ id, published }: ExtensionDeclaration): void {
  if (!EXTENSION_ID.test(id)) throw new ExtensionError(id, 'must have an id such as "com.example/reports"');
  if (published !== undefined && !isObject(published)) {
    throw new ExtensionError(
      id,
      'must have a "published" object: the settings that its specification defines',
    );
  }
  if (published === undefined && PROTOCOL_PREFIX.test(id)) throw ExtensionError.reserved(id);
}
