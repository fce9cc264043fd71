import { isLoopbackUrl } from '../../lib/core/oauth/secure-url.js';
import { isObject, type JsonObject } from '../../lib/core/protocol/json-rpc.js';
import type { Terminal } from '../command.interface.js';
import { parseArguments } from '../parse-arguments.js';
import { parseOnlyEndpoint } from '../server/parse-endpoint.js';
import { parseServerOptions, SERVER_OPTIONS, type ServerOptions } from '../server/server-options.js';
import { UsageError } from '../usage.error.js';

/** A call of a tool that the user named. */
export interface NamedCall {
  readonly tool: string;
  readonly arguments: JsonObject;
}

/** What the command is asked to measure. */
export interface BenchOptions {
  readonly server: ServerOptions;
  /** The call to measure; a tool that only reads is selected if none is named. */
  readonly call: NamedCall | undefined;
  /** A call that makes the server tell every open stream of a change. */
  readonly notifyCall: NamedCall | undefined;
  /** The resource that the sessions of these streams subscribe to. */
  readonly subscribedUri: string | undefined;
  /** How long all of it takes, about. */
  readonly seconds: number;
  /** How many requests are on their way at once. */
  readonly connections: number;
  /** How many streams hear what is announced. */
  readonly streams: number;
  /** Whether the server is on another machine, and may be put under load there. */
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

/** The default and the largest amounts. */
export const AMOUNTS = {
  seconds: { usual: 20, most: 600 },
  connections: { usual: 16, most: 256 },
  streams: { usual: 100, most: 10_000 },
} as const;

/**
 * Reads the arguments of the command.
 *
 * @throws {UsageError} if they ask for nothing that can be done, or for load on another machine without saying so
 */
export function parseBenchOptions(
  args: readonly string[],
  environment: Terminal['environment'],
): BenchOptions {
  const { values, positionals } = parseArguments(args, OPTIONS);
  const server = parseServerOptions(parseOnlyEndpoint(positionals), values, environment);
  if (values.subscribe !== undefined && values['notify-tool'] === undefined)
    throw new UsageError('"--subscribe" needs "--notify-tool": name the tool that sends the notification');
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
  throw new UsageError(`${own} are the arguments of a tool: name the tool with "--${option}"`);
}

function parseObject(option: string, text: string): JsonObject {
  const expected = `${option} must be an object in JSON, such as '{"key":"value"}'`;
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (cause) {
    throw new UsageError(`${expected}, and is no JSON`, { cause });
  }
  throw new UsageError(`${expected}, and is JSON of another kind`);
}

function parseAmount(option: keyof typeof AMOUNTS, text: string | undefined): number {
  const { usual, most } = AMOUNTS[option];
  if (text === undefined) return usual;
  const amount = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (amount >= 1 && amount <= most) return amount;
  throw new UsageError(`"--${option}" must be a whole number between 1 and ${most}`);
}

/** Load on a machine of somebody else is an attack. */
function parseRemote(url: URL, isAllowed: boolean): boolean {
  const isRemote = !isLoopbackUrl(url.href);
  if (!isRemote || isAllowed) return isRemote;
  throw new UsageError(
    `The server is not known to be on this machine: give "--remote" only if you may put load on ${url.host}`,
  );
}
