import type { Command, Terminal } from '../command.interface.js';
import { formatHelp, type Help } from '../help.js';
import { runSafely } from '../run-safely.js';
import {
  changeConfiguration,
  describeProcess,
  explainConfiguration,
  type Plan,
} from './change-configuration.js';
import type { Target } from './client-options.js';
import type { ClientFacts } from './client.interface.js';

/** The parts of a command that changes a client's configuration. */
interface Steps<Options extends Target> {
  readonly help: Help;
  readonly parse: (args: readonly string[], facts: ClientFacts) => Options;
  /** Plans a configuration change. */
  readonly plan: (options: Options, text: string) => Plan | Promise<Plan>;
}

/** Runs the command for any user and folder. Returns the exit code. */
type Run = (args: readonly string[], terminal: Terminal, facts: ClientFacts) => Promise<number>;

/** Builds a command that changes a client's configuration, and a function that runs it for any user and folder. */
export function buildClientCommand<Options extends Target>({
  help,
  parse,
  plan,
}: Steps<Options>): {
  readonly command: Command;
  readonly run: Run;
} {
  const run: Run = (args, terminal, facts) =>
    runSafely({ args, terminal, usage: formatHelp(help), explain: explainConfiguration }, () => {
      const options = parse(args, facts);
      const change = { target: options, plan: (text: string) => plan(options, text) };
      return changeConfiguration(change, facts, terminal);
    });
  const command = {
    help,
    run: (args: readonly string[], terminal: Terminal) =>
      run(args, terminal, describeProcess(terminal.environment)),
  };
  return { command, run };
}
