#!/usr/bin/env node
import { COMMANDS } from './commands.js';
import { createProcessTerminal } from './process-terminal.js';
import { runCommand } from './run-command.js';

const terminal = createProcessTerminal();
process.exitCode = await runCommand(process.argv.slice(2), COMMANDS, terminal);
terminal.close();
