import type { Terminal } from '../command.interface.js';
import { formatOptions, listOption, valueOption, wrapHelp } from '../help.js';
import { UsageError } from '../usage.error.js';
import { parseEndpoint } from './parse-endpoint.js';
import { parseVariables } from './read-variable.js';
import {
  parseLimit,
  parseServerOptions,
  SERVER_OPTIONS,
  SERVER_TIMEOUT,
  type ServerOptions,
  type ServerValues,
} from './server-options.js';
import { parseTimeout } from './parse-timeout.js';

/** A stdio server that a command starts. */
export interface StartedServer extends Pick<ServerOptions, 'timeoutMs' | 'responseLimit' | 'limitWaitMs'> {
  readonly command: string;
  readonly args: readonly string[];
  /** Environment variables in addition to those that every server inherits. */
  readonly env: { readonly [name: string]: string };
  /** The folder in which it runs. @default the current folder */
  readonly cwd: string | undefined;
}

/** A server at a URL, or a stdio server that a command starts. */
export type CalledServer = ServerOptions | StartedServer;

/** The options of a server that the command starts. */
export const STARTED_OPTIONS = {
  env: listOption(
    'NAME[=value]',
    'Environment variable for the command after "--"; without a value, its current value is passed on',
  ),
  cwd: valueOption('<folder>', 'Working directory of the command after "--"', 'this folder'),
};

/** Formats the help on the options for connecting to a server, which most commands share. */
export function formatConnectionHelp(): string {
  return wrapHelp(
    [
      'tools, call, resources, prompts, lint and bench accept all options for a server at a URL; doctor, login, logout and card accept those that their own --help lists.',
      formatOptions('Options for a server at a URL:', SERVER_OPTIONS),
      formatOptions('Options for a server that the command after "--" starts:', STARTED_OPTIONS),
    ].join('\n\n'),
  );
}

/** The values of the options for all servers. */
export interface CalledValues extends ServerValues {
  readonly env?: readonly string[] | undefined;
  readonly cwd?: string | undefined;
}

/** The options for a server at a URL only. */
const OF_URLS = [
  'token',
  'token-env',
  'header',
  'header-env',
  'client-id',
  'client-secret-env',
  'client-metadata-url',
  'issuer',
  'scope',
  'auth-param',
  'redirect-uri',
  'callback-port',
  'insecure-host',
  'assume-pkce-s256',
  'ignore-issuer-slash',
  'dpop',
  'max-wait',
] as const;

/** A command line's arguments, and the command after `--`. */
export interface SplitArguments {
  readonly own: readonly string[];
  /** Absent if there is no `--`. */
  readonly command: readonly string[] | undefined;
}

/** Splits arguments at `--`, which precedes the command that starts a server. */
export function splitCommand(args: readonly string[]): SplitArguments {
  const at = args.indexOf('--');
  return at < 0 ? { own: args, command: undefined } : { own: args.slice(0, at), command: args.slice(at + 1) };
}

/** A server, and the arguments that follow it. */
export interface NamedServer {
  readonly server: CalledServer;
  /** The arguments after the URL; all arguments if a command starts the server. */
  readonly others: readonly string[];
}

/**
 * Parses a command's server: the first argument is its URL, or the command after `--` starts it.
 *
 * @throws {UsageError} if neither or both are passed, or an option is for the other kind of server
 */
export function parseServer(
  { positionals, command }: { readonly positionals: readonly string[] } & Pick<SplitArguments, 'command'>,
  values: CalledValues,
  environment: Terminal['environment'],
): NamedServer {
  const [url, ...others] = positionals;
  if (command !== undefined) {
    if (url !== undefined && /^https?:/i.test(url)) throw createMissing();
    return { server: parseStarted(command, values, environment), others: positionals };
  }
  const misplaced = (['env', 'cwd'] as const).find((name) => values[name] !== undefined);
  if (misplaced !== undefined)
    throw new UsageError(`"--${misplaced}" applies only to a server that the command after "--" starts`);
  if (url === undefined) throw createMissing();
  if (!/^https?:/i.test(url))
    throw new UsageError(
      'The URL must start with "https://" or "http://"; to start a server, pass its command after "--"',
    );
  return { server: parseServerOptions(parseEndpoint(url), values, environment), others };
}

/**
 * Parses the server of a command without further arguments.
 *
 * @throws {UsageError} like {@link parseServer}, and if further arguments follow
 */
export function parseOnlyServer(
  ...[named, values, environment]: Parameters<typeof parseServer>
): CalledServer {
  const { server, others } = parseServer(named, values, environment);
  if (others.length > 0) throw new UsageError('Too many arguments: expected one server and options');
  return server;
}

function createMissing(): UsageError {
  return new UsageError('Expected one server: its URL, or "--" and the command that starts it');
}

/**
 * Reads how to start a server.
 *
 * @throws {UsageError} if there is no command, or an option is for a server at a URL
 */
export function parseStarted(
  [command, ...args]: readonly string[],
  values: CalledValues,
  environment: Terminal['environment'],
): StartedServer {
  const misplaced = OF_URLS.find((name) => values[name] !== undefined);
  if (misplaced !== undefined) throw new UsageError(`"--${misplaced}" applies only to a server at a URL`);
  if (command === undefined || command === '')
    throw new UsageError('Missing command after "--", such as npx some-server');
  return {
    command,
    args,
    env: parseVariables(values.env, environment).env,
    cwd: values.cwd,
    timeoutMs: parseTimeout(values.timeout, SERVER_TIMEOUT),
    responseLimit: parseLimit(values['max-bytes']),
    limitWaitMs: 0,
  };
}

/** Returns a server's name for messages: its URL or its command. */
export function nameServer(server: CalledServer): string {
  return 'url' in server ? server.url.href : [server.command, ...server.args].join(' ');
}

/** The time for a user to log in or to respond. Without a user, the timeout is shorter. */
const PERSON_MS = 15 * 60 * 1000;

/** Selects a request timeout in milliseconds, depending on whether a user may be involved. */
export function selectRequestTimeout(
  { timeoutMs, limitWaitMs }: CalledServer,
  isPersonInvolved: boolean,
): number {
  return (isPersonInvolved ? Math.max(timeoutMs, PERSON_MS) : timeoutMs) + limitWaitMs;
}
