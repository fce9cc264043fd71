import { Readable, Writable } from 'node:stream';
import { COMMANDS } from '../../../cli/commands.js';
import { LineKeyboard } from '../../../cli/line-keyboard.js';
import { runCommand } from '../../../cli/run-command.js';
import { buildEnvironment } from './build-environment.js';
import type { Ending, RunSetup } from './command-line.js';

/**
 * Runs a command of the command line within the process of the tests, as its program does: for what it says and asks for. What the
 * process has to do with it, such as signals, pipes and files of the package, needs a `CommandLine`.
 */
export async function runHere(
  args: readonly string[],
  { input = '', environment = {} }: Pick<RunSetup, 'input' | 'environment'> = {},
): Promise<Ending> {
  const written = { stdout: '', stderr: '' };
  const stderr = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written.stderr += chunk.toString();
      done();
    },
  });
  const keyboard = new LineKeyboard(
    Readable.from(input === '' ? [] : [input]) as NodeJS.ReadStream,
    stderr as NodeJS.WriteStream,
  );
  const code = await runCommand(args, COMMANDS, {
    environment: buildEnvironment(environment),
    print: (line) => (written.stdout += `${line}\n`),
    complain: (line) => (written.stderr += `${line}\n`),
    keyboard,
  });
  keyboard.close();
  return { code, ...written };
}
