import type { Command, Terminal } from '../command.interface.js';
import { runSafely } from '../run-safely.js';
import { changeConfiguration, describeProcess, explainConfiguration } from './change-configuration.js';
import { parseRemoveOptions } from './client-options.js';
import type { ClientFacts } from './client.interface.js';
import { removeServer } from './edit-configuration.js';

const USAGE = `Usage: nestjs-mcp remove <client> [url] [options]

Takes a server out of the configuration of a client: undoes "nestjs-mcp add" with the same name, scope and URL.

  --name <name>     what the client calls the server (the name in package.json, else the host)
  --scope <scope>   "project" (this folder) or "user" (all projects)
  --yes             write without asking
  --dry-run         show the change, and write nothing

Exit codes: 0 done, or nothing to do; 1 nothing was written; 2 wrong usage`;

/** Takes a server out of the configuration of a client: `nestjs-mcp remove <client>`. */
export const removeCommand: Command = {
  run: (args, terminal) => runRemove(args, terminal, describeProcess(terminal.environment)),
};

/** Does the same for any user and folder. */
export function runRemove(args: readonly string[], terminal: Terminal, facts: ClientFacts): Promise<number> {
  return runSafely({ args, terminal, usage: USAGE, explain: explainConfiguration }, () => {
    const target = parseRemoveOptions(args, facts.folder);
    const { client, name } = target;
    const change = {
      target,
      edit: (text: string) => removeServer(text, target),
      unchanged: `${client.title} has no "${name}"`,
      done: `${client.title} has "${name}" no more`,
    };
    return changeConfiguration(change, facts, terminal);
  });
}
