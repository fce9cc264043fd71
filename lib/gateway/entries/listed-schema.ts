import type { StandardSchema } from '../../index.js';

/**
 * Wraps another server's JSON Schema. It is listed but does not validate anything: the other server validates its
 * arguments, and the schema's patterns could block this process.
 */
export function createListedSchema(schema: { readonly [keyword: string]: unknown }): StandardSchema {
  const convert = () => ({ ...schema });
  return {
    '~standard': {
      version: 1,
      vendor: 'nestjs-mcp-gateway',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: convert, output: convert },
    },
  };
}
