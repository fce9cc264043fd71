import type { Client, Connection } from './client.interface.js';
import { buildClientCommand } from './client-command.js';
import { parseAddOptions, type AddOptions } from './client-options.js';
import type { Entry } from '../../lib/core/clients/describe-server.js';
import { CLIENTS } from './clients.js';
import { addServer } from './edit-configuration.js';
import { isLoopbackUrl } from '../../lib/core/oauth/secure-url.js';
import { HEADER_USAGE } from '../server/header-options.js';
import { findAccess, type Access } from './find-access.js';
import { addInputs } from './inputs.js';
import { keepSecretsOut } from './keep-secrets-out.js';

const USAGE = `Usage: nestjs-mcp-cli add <client> <url> [options]
       nestjs-mcp-cli add <client> [options] -- <command> [argument ...]

Writes a server into the configuration of a client: one at a URL, or one that the client starts. It shows the change and
asks first. Other entries do not change.

  <client>                     ${CLIENTS.map(({ name }) => name).join(', ')}
  --name <name>                the client's name for the server (the name in package.json, or else the host)
  --scope <scope>              "project" (this folder) or "user" (all projects)
  --token-env <name>           the variable that has the token; the token itself is not written
${HEADER_USAGE}
  --env NAME                   a variable of the command, with the value that it has here; 'NAME=value' gives another; may come
                               several times
  --write-secrets              write secrets as they are, if the client reads no names of variables
  --yes                        write without asking
  --dry-run                    show the change, and write nothing

Exit codes: 0 done, or nothing to do; 1 nothing was written; 2 wrong usage`;

const { command, run } = buildClientCommand<AddOptions>({
  usage: USAGE,
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
      unchanged: `${client.title} has "${name}" already`,
      done: `${client.title} has "${name}" now: ${client.next}`,
    };
  },
});

/** Writes a server into the configuration of a client: `nestjs-mcp-cli add <client> <url>`. */
export const addCommand = command;

/** Does the same for any user and folder. */
export const runAdd = run;

function describe({ client, connection }: AddOptions): Entry {
  return connection.kind === 'http' ? client.describe.http(connection) : client.describe.stdio(connection);
}

/** Whoever is on the way can read along, and change what comes. */
function warnOfPlainHttp(connection: Connection): readonly string[] {
  if (connection.kind !== 'http') return [];
  const { protocol, host } = new URL(connection.url);
  if (protocol === 'https:' || isLoopbackUrl(connection.url)) return [];
  return [
    `Warning: "${host}" is called by plain http, so that others on the network can read tokens and answers: use https`,
  ];
}

function explainAccess(access: Access, { title }: Client): string {
  switch (access) {
    case 'login':
      return `The server asks for a login: ${title} begins it when it connects`;
    case 'token':
      return 'The server asks for a token, and no login gives one: give the variable that has it with "--token-env"';
    case 'no MCP':
      return 'Warning: nothing serves MCP at this URL: check its path, which is often "/mcp"';
    case 'nothing':
      return 'Warning: nothing answers at this URL now: start the server, or check the URL';
  }
}
