import { isObject } from '../../lib/core/protocol/json-rpc.js';
import type { Terminal } from '../command.interface.js';
import { flagOption, valueOption } from '../help.js';
import { parseArguments } from '../parse-arguments.js';
import { parseServer, splitCommand, STARTED_OPTIONS, type CalledServer } from '../server/called-server.js';
import { SERVER_OPTIONS } from '../server/server-options.js';
import { UsageError } from '../usage.error.js';
import type { GivenArguments } from './build-arguments.js';

/** The options of `call`. */
export interface CallOptions {
  readonly server: CalledServer;
  readonly tool: string;
  readonly given: GivenArguments;
  /** Whether to print the whole result as JSON. */
  readonly isRaw: boolean;
  /** Whether to read elicitation responses from standard input even if it is not a terminal. */
  readonly isInteractive: boolean;
}

/** The options that only `call` has. */
export const CALL_OPTIONS = {
  json: valueOption('<object>', 'Arguments as a JSON object; a key=value overrides its property', '{}'),
  raw: { ...flagOption('Print the whole result as JSON'), default: false },
  interactive: {
    ...flagOption('Answer elicitation requests even if standard input is not a terminal'),
    default: false,
  },
};

const OPTIONS = { ...SERVER_OPTIONS, ...STARTED_OPTIONS, ...CALL_OPTIONS } as const;

/**
 * Reads the arguments of `call`.
 *
 * @throws {UsageError} if they are invalid
 */
export function parseCallOptions(args: readonly string[], environment: Terminal['environment']): CallOptions {
  const { own, command } = splitCommand(args);
  const { values, positionals } = parseArguments(own, OPTIONS);
  const { server, others } = parseServer({ positionals, command }, values, environment);
  const [tool, ...pairs] = others;
  if (tool === undefined)
    throw new UsageError('Missing argument: the name of a tool; "npx nestjs-mcp-cli tools" lists them');
  return {
    server,
    tool,
    given: { texts: collectTexts(pairs), json: parseJson(values.json) },
    isRaw: values.raw,
    isInteractive: values.interactive,
  };
}

/**
 * Collects the values of each `key=value`.
 *
 * @throws {UsageError} if one of them is invalid
 */
export function collectTexts(pairs: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const texts = new Map<string, string[]>();
  for (const [index, pair] of pairs.entries()) {
    const at = pair.indexOf('=');
    if (at < 1) throw new UsageError(`Argument ${index + 1} must be of the form "key=value"`);
    const name = pair.slice(0, at);
    texts.set(name, [...(texts.get(name) ?? []), pair.slice(at + 1)]);
  }
  return texts;
}

const JSON_EXPECTED = `"--json" must be a JSON object, such as '{"key":"value"}'`;

function parseJson(text: string | undefined): GivenArguments['json'] {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (cause) {
    throw new UsageError(`${JSON_EXPECTED}, but is not valid JSON`, { cause });
  }
  throw new UsageError(`${JSON_EXPECTED}, but is a different JSON value`);
}
