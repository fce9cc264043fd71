import { buildArguments } from '../../../cli/call/build-arguments.js';
import { parseCallOptions } from '../../../cli/call/call-options.js';
import { UsageError } from '../../../cli/usage.error.js';
import { isObject } from '../../../lib/core/protocol/json-rpc.js';
import { assertHolds, assertSame, parseWith, readFields, readJson } from '../contract.js';

const URL_OF_SERVER = 'https://desk.example.com/mcp';

/** What terminals obey. */
const OBEYED = /(?![\n\t])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Makes arguments of a command line by a schema that a server sent, which stands before the first zero. */
export function fuzz(bytes: Buffer): void {
  const [text = '', ...args] = readFields(bytes);
  const options = parseWith(() => parseCallOptions([URL_OF_SERVER, 'tool', ...args], {}), UsageError);
  const schema = readJson(text);
  if ('error' in options || !isObject(schema)) return;
  const { given } = options.value;
  const built = parseWith(() => buildArguments(given, schema), UsageError);
  if ('error' in built) {
    assertHolds(!OBEYED.test(built.error.message), 'no error turns the terminal over to a server');
    return;
  }
  assertSame(JSON.parse(JSON.stringify(built.value)), built.value, 'arguments are JSON');
  for (const name of given.texts.keys()) {
    assertHolds(Object.hasOwn(built.value, name), 'no argument is lost');
    assertHolds(JSON.stringify(built.value[name]) !== undefined, 'an argument is JSON');
  }
}
