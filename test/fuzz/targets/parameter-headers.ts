import {
  checkParameterHeaders,
  findParameterHeaders,
  ParameterHeaderError,
} from '../../../lib/core/protocol/headers/parameter-headers.js';
import { freezeSchema } from '../../../lib/server/schema/json.js';
import { SchemaError } from '../../../lib/server/schema/schema.error.js';
import { assertHolds, parseWith, readFields, readHeaders, readJson } from '../contract.js';

/** Finds the mirrored parameters of a schema, and compares headers with arguments; zeros stand between the three. */
export function fuzz(bytes: Buffer): void {
  const [text = '', fields = '', args = ''] = readFields(bytes);
  const source = readJson(text);
  if (typeof source !== 'object' || source === null) return;
  const schema = parseWith(() => freezeSchema(source, 'input'), SchemaError);
  if ('error' in schema) return;
  const found = parseWith(() => findParameterHeaders(schema.value as object), ParameterHeaderError);
  if ('error' in found) return;
  for (const { header, path } of found.value) {
    assertHolds(/^mcp-param-[!#$%&'*+.^_`|~0-9a-z-]+$/.test(header), 'a parameter has the name of a header');
    assertHolds(path.length > 0, 'a parameter has a place');
  }
  const names = new Set(found.value.map(({ header }) => header));
  assertHolds(names.size === found.value.length, 'no two parameters share a header');
  const fault = checkParameterHeaders(found.value, readHeaders(fields), readJson(args));
  assertHolds(fault === undefined || found.value.length > 0, 'without parameters nothing disagrees');
}
