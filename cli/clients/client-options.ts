import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ANY_NAME } from '../../lib/core/clients/describe-server.js';
import { quoteAll } from '../../lib/core/words/words.js';
import type { Terminal } from '../command.interface.js';
import { flagOption, valueOption } from '../help.js';
import { parseArguments } from '../parse-arguments.js';
import { splitCommand, STARTED_OPTIONS } from '../server/called-server.js';
import { type GivenHeaders, HEADER_OPTIONS, type HeaderValues, readHeaders } from '../server/parse-header.js';
import { parseEndpoint } from '../server/parse-endpoint.js';
import { parseVariables, VARIABLE_NAME } from '../server/read-variable.js';
import { readAccessToken } from '../server/read-access-token.js';
import { UsageError } from '../usage.error.js';
import { quoteVisible } from '../visible-text.js';
import type { Client, ClientFacts, Connection, Scope, SecretVariables } from './client.interface.js';
import { CLIENTS } from './clients.js';
import { proposeName } from './server-name.js';

/** The options for headers and variables, and the environment that they read. */
interface ConnectionValues extends HeaderValues {
  readonly 'token-env'?: string | undefined;
  readonly env?: readonly string[] | undefined;
  readonly environment: Terminal['environment'];
}

/** A placeholder for the value of a variable that is only referenced, which is never written. */
const UNREAD = 'unread';

/** Adds placeholder values for variables that the client only references, because they do not have to be set here. */
function withNamesOnly(values: ConnectionValues): ConnectionValues {
  const { environment, 'token-env': token, 'header-env': headers = [], env = [] } = values;
  const named = [token, ...headers.map((text) => text.slice(text.indexOf(':') + 1).trim()), ...env];
  const unset = named.filter((name) => name !== undefined && VARIABLE_NAME.test(name) && !environment[name]);
  return {
    ...values,
    environment: { ...environment, ...Object.fromEntries(unset.map((name) => [name, UNREAD])) },
  };
}

/**
 * Reads the headers for a server at a URL, and the variables that contain them.
 *
 * @throws {UsageError} if one of them is invalid, or a variable is empty
 */
function parseConnectionHeaders(values: ConnectionValues): {
  readonly headers: GivenHeaders;
  readonly variables: SecretVariables;
} {
  const { environment, 'token-env': tokenVariable } = values;
  const { headers, variables: named } = readHeaders(values, environment);
  const variables = new Map([...named].map(([header, variable]) => [header, { variable, before: '' }]));
  if (tokenVariable === undefined) return { headers, variables };
  const token = readAccessToken({ tokenVariable, headers }, environment);
  return {
    headers: { ...headers, authorization: `Bearer ${token}` },
    variables: variables.set('authorization', { variable: tokenVariable, before: 'Bearer ' }),
  };
}

/**
 * Reads the variables for a server that a client starts. Without a value, a variable is read from the environment.
 *
 * @throws {UsageError} if one of them is invalid, or not set in the environment
 */
function parseConnectionVariables({ env: texts, environment }: ConnectionValues): {
  readonly env: { readonly [name: string]: string };
  readonly variables: SecretVariables;
} {
  const { env, taken } = parseVariables(texts, environment);
  return { env, variables: new Map(taken.map((name) => [name, { variable: name, before: '' }])) };
}

/** The selected client and server. */
export interface Target {
  readonly client: Client;
  readonly scope: Scope;
  /** The client's name for the server; absent if it is unknown. */
  readonly name?: string | undefined;
  /** Whether to write without asking. */
  readonly isConfirmed: boolean;
  /** Whether to show the change, and write nothing. */
  readonly isDryRun: boolean;
}

/** The arguments of `add`. */
export interface AddOptions extends Target {
  readonly name: string;
  readonly connection: Connection;
  /** Whether to write secrets literally, if the client does not support references. */
  readonly writesSecrets: boolean;
}

const NAME_OPTIONS = {
  name: valueOption(
    '<name>',
    "The client's name for the server",
    'the name in package.json, or else the host of the URL',
  ),
  scope: valueOption(
    '<scope>',
    'Configuration to change: "project" (this folder) or "user" (all projects)',
    'project, if the client supports it',
  ),
};

const CONFIRMATION_OPTIONS = {
  yes: { ...flagOption('Write without asking'), default: false },
  'dry-run': { ...flagOption('Show the change without writing it'), default: false },
};

/** The options of `add` that `--help` lists. */
export const ADD_OPTIONS = {
  ...NAME_OPTIONS,
  'token-env': valueOption(
    '<name>',
    'Environment variable that contains the token; the token itself is not written',
  ),
  ...HEADER_OPTIONS,
  env: STARTED_OPTIONS.env,
  'write-secrets': {
    ...flagOption('Write secrets literally if the client cannot reference environment variables'),
    default: false,
  },
  ...CONFIRMATION_OPTIONS,
};

/** The options of `remove` that `--help` lists. */
export const REMOVE_OPTIONS = { ...NAME_OPTIONS, ...CONFIRMATION_OPTIONS } as const;

interface TargetValues {
  readonly name?: string | undefined;
  readonly scope?: string | undefined;
  readonly yes: boolean;
  readonly 'dry-run': boolean;
}

/** The names that all clients accept. */
const NAME = /^[A-Za-z0-9][\w-]{0,63}$/;

/**
 * Reads the arguments of `add`.
 *
 * @throws {UsageError} if they are invalid
 */
export function parseAddOptions(
  args: readonly string[],
  { folder, environment, platform }: ClientFacts,
): AddOptions {
  const { own, command } = splitCommand(args);
  const { values, positionals } = parseArguments(own, ADD_OPTIONS);
  const [client, url, ...others] = positionals;
  if (others.length > 0 || (url !== undefined && command !== undefined)) {
    throw new UsageError('Expected one server: its URL, or "--" and the command that starts it');
  }
  const target = parseTarget(client, values, folder, url);
  const { needsShell, refer } = target.client;
  const read = { ...values, environment };
  const given = refer === undefined ? read : withNamesOnly(read);
  const isBehindShell = needsShell === true && platform === 'win32';
  const connection =
    command === undefined
      ? parseHttp(url, given)
      : parseStdio(command, given, { ...target, folder, isBehindShell });
  return { ...target, name: target.name ?? ANY_NAME, connection, writesSecrets: values['write-secrets'] };
}

/**
 * Reads the arguments of `remove`.
 *
 * @throws {UsageError} if they are invalid
 */
export function parseRemoveOptions(args: readonly string[], { folder }: ClientFacts): Target {
  const { values, positionals } = parseArguments(args, REMOVE_OPTIONS);
  const [client, url, ...others] = positionals;
  if (others.length > 0) throw new UsageError('Expected a client, and at most one server URL');
  return parseTarget(client, values, folder, url);
}

function parseTarget(
  given: string | undefined,
  values: TargetValues,
  folder: string,
  url: string | undefined,
): Target {
  const client = CLIENTS.find(({ name }) => name === given);
  if (client === undefined) {
    const known = CLIENTS.map(({ name }) => name).join(', ');
    const found =
      given === undefined
        ? 'Missing argument: the name of a client'
        : `Unknown client ${quoteVisible(given)}`;
    throw new UsageError(`${found}: one of ${known}`);
  }
  const name = values.name ?? proposeName(folder, url);
  if (name !== undefined && !NAME.test(name)) {
    throw new UsageError('"--name" must consist of at most 64 letters, digits, "-" and "_", such as "desk"');
  }
  const scope = parseScope(client, values.scope);
  return { client, scope, name, isConfirmed: values.yes, isDryRun: values['dry-run'] };
}

function parseScope({ title, files }: Client, given: string | undefined): Scope {
  const scopes = Object.keys(files) as Scope[];
  const [first] = scopes;
  const scope = given === undefined ? first : scopes.find((one) => one === given);
  if (scope !== undefined) return scope;
  throw new UsageError(`"--scope" must be ${quoteAll(scopes, ' or ')} for ${title}`);
}

function parseHttp(url: string | undefined, values: ConnectionValues): Connection {
  if (values.env !== undefined)
    throw new UsageError(
      '"--env" applies only to a server that the client starts with the command after "--"',
    );
  return { kind: 'http', url: parseEndpoint(url).href, ...parseConnectionHeaders(values) };
}

function parseStdio(
  [command, ...args]: readonly string[],
  values: ConnectionValues,
  place: { readonly scope: Scope; readonly folder: string; readonly isBehindShell: boolean },
): Connection {
  const ofUrls = (['header', 'header-env', 'token-env'] as const).find((one) => values[one] !== undefined);
  if (ofUrls !== undefined) throw new UsageError(`"--${ofUrls}" applies only to a server at a URL`);
  if (command === undefined) throw new UsageError('Missing command after "--", such as node dist/stdio.js');
  const [program = command, ...given] = [command, ...args].map((text) => locate(text, place));
  const isScript = place.isBehindShell && SCRIPT.test(program);
  const started = isScript
    ? { command: 'cmd', args: ['/c', program, ...given] }
    : { command: program, args: given };
  return { kind: 'stdio', ...started, ...parseConnectionVariables(values) };
}

/** On Windows, these commands are scripts rather than executables. */
const SCRIPT = /^(?:npx|npm|pnpm|pnpx|yarn|bunx)$|\.(?:cmd|bat)$/i;

/** A client that is configured for all projects starts commands in a different folder. */
function locate(text: string, { scope, folder }: { readonly scope: Scope; readonly folder: string }): string {
  const isFile = scope === 'user' && /[./\\]/.test(text) && existsSync(resolve(folder, text));
  return isFile ? resolve(folder, text) : text;
}
