import { buildClientCommand } from './client-command.js';
import { parseRemoveOptions } from './client-options.js';
import { findInputs, removeInputs } from './inputs.js';
import { findAddedName, removeServer } from './edit-configuration.js';

const USAGE = `Usage: nestjs-mcp-cli remove <client> [url] [options]

Removes a server from the configuration of a client. It undoes "nestjs-mcp-cli add" with the same name, scope and URL.

  --name <name>     the client's name for the server (the name in package.json, or else the host; without a URL,
                    the only server that is named after its host)
  --scope <scope>   "project" (this folder) or "user" (all projects)
  --yes             write without asking
  --dry-run         show the change, and write nothing

Exit codes: 0 done, or nothing to do; 1 nothing was written; 2 wrong usage`;

const { command, run } = buildClientCommand({
  usage: USAGE,
  parse: parseRemoveOptions,
  plan: ({ client, name: given }, text) => {
    const name = given ?? findAddedName(text, client);
    const left = removeServer(text, { client, name });
    return {
      text: client.hasInputs === true ? removeOwnInputs(text, left) : left,
      unchanged: `${client.title} has no "${name}"`,
      done: `${client.title} no longer has "${name}"`,
    };
  },
});

/** Takes a server out of the configuration of a client: `nestjs-mcp-cli remove <client>`. */
export const removeCommand = command;

/** Does the same for any user and folder. */
export const runRemove = run;

/** Takes out the questions that only the server has named. */
function removeOwnInputs(before: string, left: string): string {
  const removed = removeInputs(left, before === left ? [] : findInputs(before));
  return /^\s*\{\s*\}\s*$/.test(removed) ? '' : removed;
}
