import { openBrowser } from '../../lib/client/authorization/index.js';
import { DEVELOPMENT_VARIABLE, formatInvitation } from '../../lib/core/development/invitation.js';
import { ProjectFolder } from '../application/project-folder.js';
import type { Command, Terminal } from '../command.interface.js';
import { runSafely } from '../run-safely.js';
import { UsageError } from '../usage.error.js';
import { quoteVisible } from '../visible-text.js';
import { parseDevOptions, type DevOptions } from './dev-options.js';
import { Development } from './development.js';
import { findScript } from './find-script.js';
import { buildRunArguments, findPackageManager } from './package-manager.js';
import { ReportServer } from './report-server.js';
import { ScriptOutput } from './script-output.js';
import { GRACE_MS, ScriptProcess } from './script-process.js';

/** All that a key or a window sends to end a process; `SIGBREAK` is that of Windows. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGBREAK'] as const;

/** One press of Ctrl-C arrives twice if the parent of this process passes it on. */
const SAME_PRESS_MS = 500;

/** The listener for the end of the script. */
interface StopHearer {
  readonly tell: (line: string) => void;
  readonly onStop: () => void;
}

/**
 * Has a script ended by what is to end this process: the first signal asks it to, the second one kills it. Returns a
 * function that ends this.
 */
function stopOnSignals(
  script: Pick<ScriptProcess, 'stop' | 'kill'>,
  { tell, onStop }: StopHearer,
): () => void {
  let stoppedAt: number | undefined;
  let late: NodeJS.Timeout | undefined;
  const take = (signal: NodeJS.Signals): void => {
    const now = performance.now();
    if (stoppedAt !== undefined) return now - stoppedAt < SAME_PRESS_MS ? undefined : script.kill();
    stoppedAt = now;
    onStop();
    // Nobody who presses Ctrl-\\ here wants a dump of the application.
    script.stop(signal === 'SIGQUIT' || signal === 'SIGBREAK' ? 'SIGTERM' : signal);
    const isAttended = signal === 'SIGINT' && process.stdin.isTTY;
    if (isAttended) tell('Ending the application; Ctrl-C again kills it');
    // Nobody is there to ask for it again.
    else late = setTimeout(() => script.kill(), GRACE_MS);
  };
  for (const signal of SIGNALS) process.on(signal, take);
  return () => {
    clearTimeout(late);
    for (const signal of SIGNALS) process.off(signal, take);
  };
}

const USAGE = `Usage: nestjs-mcp-cli dev [options] [-- argument ...]

Starts the application in this folder by its own watch script. Shows what it offers, each call, and errors with their code.
Clients stay connected when the application restarts, and are told that lists changed. Ctrl-C ends it.

  --script <name>    the script of package.json to run ("start:dev", else "dev")
  --project <name>   the project of a monorepo that "nest start" starts
  --no-open          do not open the page of the server in a browser
  -- argument ...    arguments of the script

Exit codes: the script's own; 2 wrong usage, or nothing that could be started`;

/** Milliseconds after which an application that says nothing is asked about. */
const SILENCE_MS = 60_000;

/** Starts the application of this folder, and shows what it does: `nestjs-mcp-cli dev`. */
export const devCommand: Command = {
  run: (args, terminal) =>
    runSafely({ args, terminal, usage: USAGE }, () => runDev(parseDevOptions(args), terminal)),
};

async function runDev(options: DevOptions, terminal: Terminal): Promise<number> {
  const root = process.cwd();
  const { name, command, args } = planScript(options, terminal, root);
  const output = new ScriptOutput();
  const print = (lines: readonly string[]): void => {
    output.begin(process.stdout);
    for (const line of lines) terminal.print(line);
  };
  const development = new Development({ root, print, open: (url) => openPage(url, options, terminal) });
  const server = new ReportServer(development);
  let script: ScriptProcess | undefined;
  // Nothing is left behind, even if something else ends this process, such as a closed output.
  const leave = (): void => {
    server.close();
    script?.kill();
  };
  process.once('exit', leave);
  try {
    await server.listen();
    const environment = buildEnvironment(terminal, server);
    script = new ScriptProcess({ command, args, cwd: root, environment });
    const code = await attend(script, { output, development, print });
    if (code !== 0) print([`${quoteVisible(name)} has ended with ${code}`]);
    return code;
  } finally {
    process.off('exit', leave);
    leave();
  }
}

/** @throws {UsageError} if there is nothing that could be started */
function planScript(options: DevOptions, { environment }: Terminal, root: string) {
  if (environment['NODE_ENV'] === 'production') {
    throw new UsageError(
      '"NODE_ENV" is "production", where nothing is reported: unset it, or set it to "development"',
    );
  }
  const project = new ProjectFolder(root);
  const { name, args } = findScript(project, options);
  const command = findPackageManager(project, environment['npm_config_user_agent']);
  return { name, command, args: buildRunArguments(command, name, args) };
}

function buildEnvironment({ environment }: Terminal, { invitation }: ReportServer): NodeJS.ProcessEnv {
  const { FORCE_COLOR, NO_COLOR } = environment;
  // What prints to a pipe leaves colours out, though this one ends at a terminal.
  const isInColour = process.stdout.isTTY && FORCE_COLOR === undefined && NO_COLOR === undefined;
  return {
    ...environment,
    ...(isInColour && { FORCE_COLOR: '1' }),
    [DEVELOPMENT_VARIABLE]: formatInvitation(invitation),
  };
}

/** The parts that follow a script. */
interface Attendance {
  readonly output: ScriptOutput;
  readonly development: Development;
  readonly print: (lines: readonly string[]) => void;
}

/** Follows a script until it has ended, and gives its exit code. */
async function attend(script: ScriptProcess, { output, development, print }: Attendance): Promise<number> {
  const stopListening = stopOnSignals(script, {
    tell: (line) => print([line]),
    onStop: () => development.end(),
  });
  const { stdin, stdout, stderr } = script.streams;
  output.follow(stdout, process.stdout, development.onLine);
  output.follow(stderr, process.stderr, development.onLine);
  stdin.on('error', () => undefined);
  process.stdin.pipe(stdin);
  const silence = setTimeout(() => askAboutSilence(development, print), SILENCE_MS);
  try {
    return await script.ended;
  } finally {
    clearTimeout(silence);
    process.stdin.unpipe();
    stopListening();
    development.close();
  }
}

/** Nobody sees a browser of a machine that builds, or of one whose output goes to a file. */
function openPage(url: string, { opensBrowser }: DevOptions, { environment }: Terminal): void {
  const isAttended = process.stdout.isTTY && process.stdin.isTTY && !environment['CI'];
  if (!opensBrowser || !isAttended) return;
  // The address is printed anyway.
  openBrowser(url).catch(() => undefined);
}

function askAboutSilence(development: Development, print: (lines: readonly string[]) => void): void {
  if (development.isKnown) return;
  print([
    'No server has reported yet: if the application runs, see whether it imports McpModule, and that nothing sets NODE_ENV to "production"',
  ]);
}
