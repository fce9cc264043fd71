import { buildClientCommand } from './client-command.js';
import { parseAddOptions, type AddOptions } from './client-options.js';
import type { Entry } from '../../core/clients/describe-server.js';
import { CLIENTS } from './clients.js';
import { addServer } from './edit-configuration.js';

const USAGE = `Usage: nestjs-mcp add <client> <url> [options]
       nestjs-mcp add <client> [options] -- <command> [argument ...]

Writes a server into the configuration of a client: one at a URL, or one that the client starts. It shows the change and
asks first; what is there already stays as it is.

  <client>                 ${CLIENTS.map(({ name }) => name).join(', ')}
  --name <name>            what the client calls the server (the name in package.json, else the host)
  --scope <scope>          "project" (this folder) or "user" (all projects)
  --header 'Name: value'   sent to the URL with every request; may come several times
  --env 'NAME=value'       a variable of the command; may come several times
  --yes                    write without asking
  --dry-run                show the change, and write nothing

Exit codes: 0 done, or nothing to do; 1 nothing was written; 2 wrong usage`;

const { command, run } = buildClientCommand<AddOptions>({
  usage: USAGE,
  parse: parseAddOptions,
  plan: (options, text) => {
    const { client, name } = options;
    return {
      text: addServer(text, options, describe(options)),
      unchanged: `${client.title} has "${name}" already`,
      done: `${client.title} has "${name}" now: ${client.next}`,
    };
  },
});

/** Writes a server into the configuration of a client: `nestjs-mcp add <client> <url>`. */
export const addCommand = command;

/** Does the same for any user and folder. */
export const runAdd = run;

function describe({ client, connection }: AddOptions): Entry {
  return connection.kind === 'http' ? client.describe.http(connection) : client.describe.stdio(connection);
}
