import type { Terminal } from '../command.interface.js';
import { formatOptions, wrapHelp, type OptionDeclarations } from '../help.js';
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

/** A server that a command starts, and talks to over standard input and output. */
export interface StartedServer extends Pick<ServerOptions, 'timeoutMs' | 'responseLimit' | 'limitWaitMs'> {
  readonly command: string;
  readonly args: readonly string[];
  /** Variables besides the few that each process gets. */
  readonly env: { readonly [name: string]: string };
  /** The folder that it runs in. @default that of the command */
  readonly cwd: string | undefined;
}

/** Any server that a command works with. */
export type CalledServer = ServerOptions | StartedServer;

/** The options of a server that the command starts. */
export const STARTED_OPTIONS = {
  env: {
    type: 'string',
    multiple: true,
    value: 'NAME[=value]',
    summary:
      'Environment variable for the command after "--"; without a value, its current value is passed on',
  },
  cwd: {
    type: 'string',
    value: '<folder>',
    summary: 'Working directory of the command after "--"',
    fallback: 'this folder',
  },
} as const satisfies OptionDeclarations;

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

/** What means something for a server at a URL alone. */
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

/** The arguments of a command line, and the command behind `--`. */
export interface SplitArguments {
  readonly own: readonly string[];
  /** Absent if there is no `--`. */
  readonly command: readonly string[] | undefined;
}

/** Splits the arguments of a command at `--`: behind it stands the command that starts a server. */
export function splitCommand(args: readonly string[]): SplitArguments {
  const at = args.indexOf('--');
  return at < 0 ? { own: args, command: undefined } : { own: args.slice(0, at), command: args.slice(at + 1) };
}

/** What the arguments of a command name: a server, and what follows. */
export interface NamedServer {
  readonly server: CalledServer;
  /** The arguments behind the URL; all of them if the server is started. */
  readonly others: readonly string[];
}

/**
 * Reads which server a command is about: one at a URL, which is the first argument, or one that it starts.
 *
 * @throws {UsageError} if neither is given, or both are, or an option means nothing for it
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
    throw new UsageError(`"--${misplaced}" is for a server that the command starts: behind "--"`);
  if (url === undefined) throw createMissing();
  if (!/^https?:/i.test(url))
    throw new UsageError(
      'The URL must begin with "https://" or "http://"; a command that starts a server stands behind "--"',
    );
  return { server: parseServerOptions(parseEndpoint(url), values, environment), others };
}

/**
 * Reads the server of a command whose arguments name nothing else.
 *
 * @throws {UsageError} as {@link parseServer} does, and if something follows
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
 * Reads how a server is started.
 *
 * @throws {UsageError} if there is no command, or an option means nothing for it
 */
export function parseStarted(
  [command, ...args]: readonly string[],
  values: CalledValues,
  environment: Terminal['environment'],
): StartedServer {
  const misplaced = OF_URLS.find((name) => values[name] !== undefined);
  if (misplaced !== undefined) throw new UsageError(`"--${misplaced}" is for a server at a URL`);
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

/** Names a server for a message: its URL, or its command. */
export function nameServer(server: CalledServer): string {
  return 'url' in server ? server.url.href : [server.command, ...server.args].join(' ');
}

/** The time that a person may take to log in or to answer. A silent server is noticed sooner. */
const PERSON_MS = 15 * 60 * 1000;

/** Selects how many milliseconds a request may take, with a person in between or without. */
export function selectRequestTimeout(
  { timeoutMs, limitWaitMs }: CalledServer,
  isPersonInvolved: boolean,
): number {
  return (isPersonInvolved ? Math.max(timeoutMs, PERSON_MS) : timeoutMs) + limitWaitMs;
}
