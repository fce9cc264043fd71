import type { Help } from '../help.js';
import { buildClientCommand } from './client-command.js';
import { parseRemoveOptions, REMOVE_OPTIONS } from './client-options.js';
import { CLIENTS } from './clients.js';
import { findInputs, removeInputs } from './inputs.js';
import { findAddedName, removeServer } from './edit-configuration.js';

const HELP: Help = {
  usage: ['remove <client> [url] [options]'],
  description:
    'Remove a server that "add" added with the same name, scope and URL from the configuration of an MCP client. Without a URL, the only server that is named after its host is removed.',
  operands: { '<client>': CLIENTS.map(({ name }) => name).join(', ') },
  options: REMOVE_OPTIONS,
  exitCodes: { 0: 'Success, or nothing to do', 1: 'Nothing was written', 2: 'Invalid usage' },
};

const { command, run } = buildClientCommand({
  help: HELP,
  parse: parseRemoveOptions,
  plan: ({ client, name: given }, text) => {
    const name = given ?? findAddedName(text, client);
    const left = removeServer(text, { client, name });
    return {
      text: client.hasInputs === true ? removeOwnInputs(text, left) : left,
      unchanged: `${client.title} has no "${name}"`,
      done: `Removed "${name}" from ${client.title}`,
    };
  },
});

/** Removes a server from a client's configuration: `nestjs-mcp-cli remove <client>`. */
export const removeCommand = command;

/** Runs the command for any user and folder. */
export const runRemove = run;

/** Removes the inputs that only this server references. */
function removeOwnInputs(before: string, left: string): string {
  const removed = removeInputs(left, before === left ? [] : findInputs(before));
  return /^\s*\{\s*\}\s*$/.test(removed) ? '' : removed;
}
