import { isLoopbackUrl } from '../../lib/core/oauth/secure-url.js';
import { isObject, type JsonObject } from '../../lib/core/protocol/json-rpc.js';
import type { Terminal } from '../command.interface.js';
import { parseArguments } from '../parse-arguments.js';
import { parseOnlyEndpoint } from '../server/parse-endpoint.js';
import { parseServerOptions, SERVER_OPTIONS, type ServerOptions } from '../server/server-options.js';
import { UsageError } from '../usage.error.js';

/** A tool call from the command line. */
export interface NamedCall {
  readonly tool: string;
  readonly arguments: JsonObject;
}

/** The command's options. */
export interface BenchOptions {
  readonly server: ServerOptions;
  /** The call to measure. @default a call to a read-only tool */
  readonly call: NamedCall | undefined;
  /** A call that makes the server send a notification to every open stream. */
  readonly notifyCall: NamedCall | undefined;
  /** The resource that these streams' sessions subscribe to. */
  readonly subscribedUri: string | undefined;
  /** The approximate duration of the run. */
  readonly seconds: number;
  /** The number of concurrent requests. */
  readonly connections: number;
  /** The number of streams that receive the notification. */
  readonly streams: number;
  /** Whether the server may be on another machine, because the user is allowed to put load on it. */
  readonly isRemote: boolean;
  readonly json: boolean;
}

const OPTIONS = {
  ...SERVER_OPTIONS,
  tool: { type: 'string' },
  arguments: { type: 'string' },
  'notify-tool': { type: 'string' },
  'notify-arguments': { type: 'string' },
  subscribe: { type: 'string' },
  seconds: { type: 'string' },
  connections: { type: 'string' },
  streams: { type: 'string' },
  remote: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;

/** The default and the maximum of each number. */
export const AMOUNTS = {
  seconds: { usual: 20, most: 600 },
  connections: { usual: 16, most: 256 },
  streams: { usual: 100, most: 10_000 },
} as const;

/**
 * Reads the command's arguments.
 *
 * @throws {UsageError} if they are invalid, or if the server is on another machine and `--remote` is missing
 */
export function parseBenchOptions(
  args: readonly string[],
  environment: Terminal['environment'],
): BenchOptions {
  const { values, positionals } = parseArguments(args, OPTIONS);
  const server = parseServerOptions(parseOnlyEndpoint(positionals), values, environment);
  if (values.subscribe !== undefined && values['notify-tool'] === undefined)
    throw new UsageError(
      '"--subscribe" requires "--notify-tool", the tool whose calls send the notification',
    );
  return {
    server,
    call: parseCall('tool', values.tool, values.arguments),
    notifyCall: parseCall('notify-tool', values['notify-tool'], values['notify-arguments']),
    subscribedUri: values.subscribe,
    seconds: parseAmount('seconds', values.seconds),
    connections: parseAmount('connections', values.connections),
    streams: parseAmount('streams', values.streams),
    isRemote: parseRemote(server.url, values.remote),
    json: values.json,
  };
}

const OF_ARGUMENTS = { tool: 'arguments', 'notify-tool': 'notify-arguments' } as const;

function parseCall(
  option: keyof typeof OF_ARGUMENTS,
  tool: string | undefined,
  text: string | undefined,
): NamedCall | undefined {
  const own = `"--${OF_ARGUMENTS[option]}"`;
  if (tool !== undefined) return { tool, arguments: text === undefined ? {} : parseObject(own, text) };
  if (text === undefined) return undefined;
  throw new UsageError(`${own} requires "--${option}", the tool that the arguments are for`);
}

function parseObject(option: string, text: string): JsonObject {
  const expected = `${option} must be a JSON object, such as '{"key":"value"}'`;
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (cause) {
    throw new UsageError(`${expected}, but is not valid JSON`, { cause });
  }
  throw new UsageError(`${expected}, but is a different JSON value`);
}

function parseAmount(option: keyof typeof AMOUNTS, text: string | undefined): number {
  const { usual, most } = AMOUNTS[option];
  if (text === undefined) return usual;
  const amount = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (amount >= 1 && amount <= most) return amount;
  throw new UsageError(`"--${option}" must be a whole number between 1 and ${most}`);
}

/** Load on a machine without its owner's consent is an attack. */
function parseRemote(url: URL, isAllowed: boolean): boolean {
  const isRemote = !isLoopbackUrl(url.href);
  if (!isRemote || isAllowed) return isRemote;
  throw new UsageError(
    `The server may be on another machine: pass "--remote" only if you are allowed to put load on ${url.host}`,
  );
}
