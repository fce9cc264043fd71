#!/usr/bin/env node
import { ExitCode, type Terminal } from './command.interface.js';
import { COMMANDS } from './commands.js';
import { LineKeyboard } from './line-keyboard.js';
import { runCommand } from './run-command.js';

/** The terminal of a process. */
interface ProcessTerminal extends Terminal {
  /** Lets the input go, so that the process can end. */
  close(): void;
}

const DEFAULT_COLUMNS = 80;

/** Puts the cursor at the beginning of the line and empties it. */
const CLEAR = '\r\u001b[K';

/** Gives the terminal of this process: what was asked for goes to its output, all else to where errors go. */
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

/** A reader such as "head" may have seen enough, which is no error. Any other reason, such as a full disk, is reported. */
function endWithoutOutput({ code, message }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE') process.exit();
  process.stderr.write(`The output cannot be written (${code ?? message})\n`);
  process.exit(ExitCode.failure);
}

/** The result is still useful, even if nobody reads the progress. */
function goOnWithoutReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

const terminal = createProcessTerminal();
process.exitCode = await runCommand(process.argv.slice(2), COMMANDS, terminal);
terminal.close();
