import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../lib/core/protocol/json-rpc.js';

/** Properties that the publisher may add to a `server.json`. */
const FREE: ReadonlySet<string> = new Set(['_meta']);

/** Returns the names of the properties in which a document differs from the expected one. */
export function listDifferences(written: unknown, wanted: object): readonly string[] {
  if (!isObject(written)) return Object.keys(wanted);
  const expected = JSON.parse(JSON.stringify(wanted)) as Readonly<Record<string, unknown>>;
  const names = [...new Set([...Object.keys(written), ...Object.keys(expected)])];
  return names.filter((name) => !FREE.has(name) && !isDeepStrictEqual(written[name], expected[name]));
}
