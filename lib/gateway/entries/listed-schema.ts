import type { JsonSchemaDocument } from '../../server/settings/schema-source.interface.js';
import { LISTED_SCHEMA } from '../../server/settings/mcp.constants.js';

/**
 * Wraps another server's JSON Schema. It is listed but does not validate anything: the other server validates its
 * arguments, and the schema's patterns could block this process.
 */
export function createListedSchema(schema: { readonly [keyword: string]: unknown }): JsonSchemaDocument {
  return { [LISTED_SCHEMA]: schema } as JsonSchemaDocument;
}
