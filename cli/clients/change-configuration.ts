import { homedir } from 'node:os';
import { ExitCode, type Terminal } from '../command.interface.js';
import type { Failure } from '../run-safely.js';
import { makeVisible } from '../visible-text.js';
import type { Target } from './client-options.js';
import type { ClientFacts } from './client.interface.js';
import { ConfigurationError } from './configuration.error.js';
import { ConfigurationFile } from './configuration-file.js';
import { formatChange } from './format-change.js';
import { hideSecrets } from './hide-secrets.js';

/** What becomes of a configuration. */
export interface Plan {
  readonly text: string;
  /** The names of headers and variables that are not shown. @default those whose name says that they are secrets */
  readonly secrets?: readonly string[];
  /** What its user should know before it is written. @default nothing */
  readonly notes?: readonly string[];
  /** What to say if nothing is to be changed. */
  readonly unchanged: string;
  /** What to say when it is done. */
  readonly done: string;
}

/** A change of a client's configuration. */
export interface Change {
  readonly target: Pick<Target, 'client' | 'scope' | 'isConfirmed' | 'isDryRun'>;
  readonly plan: (text: string) => Plan | Promise<Plan>;
}

/** Describes this process, in the folder that it was started in. */
export function describeProcess(environment: Terminal['environment']): ClientFacts {
  return { platform: process.platform, environment, home: homedir(), folder: process.cwd() };
}

/** Shows a change, asks for consent, and makes it. Returns the exit code. */
export async function changeConfiguration(
  { target, plan }: Change,
  facts: ClientFacts,
  terminal: Terminal,
): Promise<number> {
  const { client, scope } = target;
  const file = new ConfigurationFile(client.files[scope]?.(facts) ?? '');
  const before = await file.read();
  const { text: after, secrets = [], notes = [], unchanged, done } = await planFor(file, before.text, plan);
  if (after === before.text) return tell(terminal, unchanged);
  const [shownBefore, shownAfter] = [before.text, after].map((text) =>
    hideSecrets(text, client.member, secrets),
  );
  terminal.print(`${makeVisible(file.path)}\n${formatChange(shownBefore ?? '', shownAfter ?? '')}`);
  for (const note of notes) terminal.print(note);
  if (target.isDryRun) return ExitCode.success;
  if (!target.isConfirmed && !(await isWanted(terminal))) return ExitCode.failure;
  await file.replace(before, after);
  return tell(terminal, done);
}

/** Says why a configuration could not be changed. */
export function explainConfiguration(error: unknown): Failure | undefined {
  if (!(error instanceof ConfigurationError)) return undefined;
  return { exitCode: ExitCode.failure, message: error.message };
}

async function planFor({ path }: ConfigurationFile, text: string, plan: Change['plan']): Promise<Plan> {
  try {
    return await plan(text);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new ConfigurationError(`${makeVisible(path)}: ${error.message}`, { cause: error });
  }
}

async function isWanted(terminal: Terminal): Promise<boolean> {
  const { keyboard } = terminal;
  if (keyboard?.isTerminal !== true) {
    terminal.complain('Nothing was written: nobody can be asked here, and "--yes" writes without asking');
    return false;
  }
  const answer = await keyboard.ask('Write it? [y/N] ');
  if (/^y(?:es)?$/i.test(answer?.trim() ?? '')) return true;
  terminal.complain('Nothing was written');
  return false;
}

function tell(terminal: Terminal, text: string): number {
  terminal.print(text);
  return ExitCode.success;
}
