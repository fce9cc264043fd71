import type { Command, Terminal } from '../command.interface.js';
import { runSafely } from '../run-safely.js';
import { changeConfiguration, describeProcess, explainConfiguration } from './change-configuration.js';
import { parseAddOptions, type AddOptions } from './client-options.js';
import type { Entry } from '../../core/clients/describe-server.js';
import type { ClientFacts } from './client.interface.js';
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

/** Writes a server into the configuration of a client: `nestjs-mcp add <client> <url>`. */
export const addCommand: Command = {
  run: (args, terminal) => runAdd(args, terminal, describeProcess(terminal.environment)),
};

/** Does the same for any user and folder. */
export function runAdd(args: readonly string[], terminal: Terminal, facts: ClientFacts): Promise<number> {
  return runSafely({ args, terminal, usage: USAGE, explain: explainConfiguration }, () => {
    const options = parseAddOptions(args, facts.folder);
    const { client, name } = options;
    const entry = describe(options);
    const change = {
      target: options,
      edit: (text: string) => addServer(text, options, entry),
      unchanged: `${client.title} has "${name}" already`,
      done: `${client.title} has "${name}" now: ${client.next}`,
    };
    return changeConfiguration(change, facts, terminal);
  });
}

function describe({ client, connection }: AddOptions): Entry {
  return connection.kind === 'http' ? client.describe.http(connection) : client.describe.stdio(connection);
}
