#!/usr/bin/env node
import { ExitCode, type Terminal } from './command.interface.js';
import { COMMANDS } from './commands.js';
import { LineKeyboard } from './line-keyboard.js';
import { runCommand } from './run-command.js';

/** The terminal of a process. */
interface ProcessTerminal extends Terminal {
  /** Stops reading, so that the process can exit. */
  close(): void;
}

const DEFAULT_COLUMNS = 80;

/** Moves the cursor to the beginning of the line and clears it. */
const CLEAR = '\r\u001b[K';

/** Creates the terminal of this process: results go to standard output, everything else to standard error. */
function createProcessTerminal(): ProcessTerminal {
  const { env: environment, stdin, stdout, stderr } = process;
  const keyboard = new LineKeyboard(stdin, stderr);
  stdout.on('error', endWithoutOutput);
  stderr.on('error', goOnWithoutReader);
  const isLineSeen = stderr.isTTY && environment['TERM'] !== 'dumb';
  let shown = '';
  const show = (line: string) => {
    if (line === shown) return;
    stderr.write(`${CLEAR}${line}`);
    shown = line;
  };
  const above = (write: () => void) => {
    if (shown !== '') show('');
    write();
  };
  return {
    environment,
    print: (line) => above(() => void stdout.write(`${line}\n`)),
    complain: (line) => above(() => void stderr.write(`${line}\n`)),
    status: isLineSeen
      ? {
          get columns() {
            return stderr.columns || DEFAULT_COLUMNS;
          },
          show,
        }
      : undefined,
    keyboard: {
      isTerminal: keyboard.isTerminal,
      ask: async (question, withdrawn) => {
        above(() => undefined);
        return keyboard.ask(question, withdrawn);
      },
    },
    close: () => keyboard.close(),
  };
}

/** A reader such as "head" may close the pipe, which is not an error. Other reasons, such as a full disk, are reported. */
function endWithoutOutput({ code, message }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE') process.exit();
  process.stderr.write(`The output cannot be written (${code ?? message})\n`);
  process.exit(ExitCode.failure);
}

/** The result is still useful if standard error is closed. */
function goOnWithoutReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

const terminal = createProcessTerminal();
process.exitCode = await runCommand(process.argv.slice(2), COMMANDS, terminal);
terminal.close();
