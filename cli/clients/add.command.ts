import {
  describeInput,
  type Entry,
  nameHeaderVariable,
  type ServerAddress,
} from '../../lib/core/clients/describe-server.js';
import { ProbeError } from '../../lib/core/doctor/probe/probe-wire.js';
import { isLoopbackUrl, isSecureUrl } from '../../lib/core/oauth/secure-url.js';
import { isEndpointMissing } from '../../lib/core/protocol/http-sse.js';
import { createTarget } from '../doctor/create-target.js';
import type { Help } from '../help.js';
import { UsageError } from '../usage.error.js';
import { buildClientCommand } from './client-command.js';
import { ADD_OPTIONS, parseAddOptions, type AddOptions } from './client-options.js';
import type { Client, Connection } from './client.interface.js';
import { CLIENTS } from './clients.js';
import { addServer } from './edit-configuration.js';
import { addInputs } from './inputs.js';
import { listSecrets, namesSecret, referSecrets, type HeaderReference } from './secret-headers.js';

/** How a URL responds to a client: it requires a login or a fixed token, does not serve MCP, or does not respond. */
type Access = 'login' | 'token' | 'no MCP' | 'nothing';

/** In milliseconds. Short, because the server may not be running yet. */
const LONGEST_ANSWER_MS = 2_000;

/**
 * Determines how a URL responds to a client with these headers. Returns `undefined` if it grants access or was not
 * called.
 */
async function findAccess({ url, headers }: ServerAddress): Promise<Access | undefined> {
  // Only the client can resolve a reference.
  const isGiven = 'authorization' in headers || Object.values(headers).some(namesSecret);
  if (!isSecureUrl(url)) return undefined;
  const { origin } = new URL(url);
  const target = createTarget({
    url: new URL(url),
    token: undefined,
    json: false,
    timeoutMs: LONGEST_ANSWER_MS,
    // Neither references nor secrets are sent.
    headers: isGiven ? {} : headers,
    origin,
  });
  try {
    const { status } = await target.initialize();
    if (isEndpointMissing(status)) return 'no MCP';
    if (isGiven || status !== 401) return undefined;
    const { authorization_servers: servers } = (await target.authorization.resource())?.document ?? {};
    return Array.isArray(servers) && servers.length > 0 ? 'login' : 'token';
  } catch (error) {
    if (error instanceof ProbeError) return 'nothing';
    throw error;
  } finally {
    await target.endSessions();
  }
}

const HELP: Help = {
  usage: ['add <client> <url> [options]', 'add <client> [options] -- <command> [argument ...]'],
  description:
    'Add a server to the configuration of an MCP client: a server at a URL, or a command that the client starts. Shows the change and asks before it writes. Other entries stay as they are.',
  operands: { '<client>': CLIENTS.map(({ name }) => name).join(', ') },
  options: ADD_OPTIONS,
  exitCodes: { 0: 'Success, or nothing to do', 1: 'Nothing was written', 2: 'Invalid usage' },
};

const { command, run } = buildClientCommand<AddOptions>({
  help: HELP,
  parse: parseAddOptions,
  plan: async (given, text) => {
    const { options, secrets, inputs, notes } = keepSecretsOut(given);
    const { client, name, connection } = options;
    const access = connection.kind === 'http' ? await findAccess(connection) : undefined;
    return {
      text: addInputs(addServer(text, options, describe(options)), inputs),
      secrets,
      notes: [
        ...notes,
        ...warnOfPlainHttp(connection),
        ...(access === undefined ? [] : [explainAccess(access, client)]),
      ],
      unchanged: `${client.title} already has "${name}"`,
      done: `Added "${name}" to ${client.title}: ${client.next}`,
    };
  },
});

/** Writes a server into a client's configuration: `nestjs-mcp-cli add <client> <url>`. */
export const addCommand = command;

/** Runs the command for any user and folder. */
export const runAdd = run;

function describe({ client, connection }: AddOptions): Entry {
  return connection.kind === 'http' ? client.describe.http(connection) : client.describe.stdio(connection);
}

/** Others on the network can read and change the messages. */
function warnOfPlainHttp(connection: Connection): readonly string[] {
  if (connection.kind !== 'http') return [];
  const { protocol, host } = new URL(connection.url);
  if (protocol === 'https:' || isLoopbackUrl(connection.url)) return [];
  return [
    `Warning: "${host}" uses plain http, so others on the network can read tokens and responses: use https`,
  ];
}

function explainAccess(access: Access, { title }: Client): string {
  switch (access) {
    case 'login':
      return `The server requires a login, which ${title} starts when it connects`;
    case 'token':
      return 'The server requires a token, but offers no login: pass the name of the variable that contains the token with "--token-env"';
    case 'no MCP':
      return 'Warning: nothing serves MCP at this URL: check its path, which is often "/mcp"';
    case 'nothing':
      return 'Warning: nothing responds at this URL: start the server, or check the URL';
  }
}

/** A server in the form that is written to a file. */
interface ServerEntry {
  readonly options: AddOptions;
  /** The names of the headers and variables whose secrets are written. */
  readonly secrets: readonly string[];
  /** The inputs that the file declares. */
  readonly inputs: readonly Entry[];
  /** Notes for the user. */
  readonly notes: readonly string[];
}

/**
 * Replaces secrets with references, if the client supports them.
 *
 * @throws {UsageError} if it does not, and "--write-secrets" is missing
 */
function keepSecretsOut(options: AddOptions): ServerEntry {
  const { client, name, connection } = options;
  const values = connection.kind === 'http' ? connection.headers : connection.env;
  const secrets = listSecrets(values, connection.variables);
  if (client.refer === undefined) {
    assertNoNames(options);
    return warn(options, secrets);
  }
  const place = { server: name, variables: connection.variables };
  const { headers: written, referred } = referSecrets(values, place, client.refer);
  const changed =
    connection.kind === 'http' ? { ...connection, headers: written } : { ...connection, env: written };
  return {
    options: { ...options, connection: changed },
    secrets: [],
    inputs: client.hasInputs === true ? referred.map(({ secret }) => describeInput(secret)) : [],
    notes: referred.map((one) => explain(one, options)),
  };
}

/** A client without support for references would send them literally. */
function assertNoNames({ client, connection }: AddOptions): void {
  if (connection.kind !== 'http') return;
  const named = Object.entries(connection.headers).find(([, value]) => namesSecret(value));
  if (named === undefined || (client.isBridged === true && /^\$\{\w+\}$/.test(named[1]))) return;
  throw new UsageError(
    `${client.title} does not resolve the variable in "${named[0]}": pass its name with "--token-env" or "--header-env"`,
  );
}

function warn(options: AddOptions, secrets: readonly string[]): ServerEntry {
  const { client, scope, writesSecrets } = options;
  const [first] = secrets;
  if (first !== undefined && !writesSecrets) {
    throw new UsageError(
      `${client.title} cannot reference environment variables, so its file would contain the value of "${first}": pass "--write-secrets" to allow that`,
    );
  }
  const cure =
    scope === 'project'
      ? 'to a file that is likely to be committed: exclude the file from the repository'
      : 'where every program that you run can read it: exclude the file from backups that others can read';
  const notes = secrets.map((name) => `Warning: the value of "${name}" is written literally, ${cure}`);
  // A bridge gets its headers from environment variables.
  return { options, secrets: [...secrets, ...secrets.map(nameHeaderVariable)], inputs: [], notes };
}

function explain({ header, secret }: HeaderReference, { client: { title, hasInputs } }: AddOptions): string {
  const found = `The value of "${header}" is not written`;
  return hasInputs === true
    ? `${found}: ${title} asks for it once, and stores it`
    : `${found}: set it in the environment variable ${secret.variable} before ${title} starts`;
}
