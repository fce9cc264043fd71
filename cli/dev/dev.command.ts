import { openBrowser } from '../../lib/client/authorization/index.js';
import { DEVELOPMENT_VARIABLE, formatDevConnection } from '../../lib/core/development/dev-connection.js';
import { ProjectFolder } from '../application/project-folder.js';
import type { Command, Terminal } from '../command.interface.js';
import { formatHelp, type Help } from '../help.js';
import { runSafely } from '../run-safely.js';
import { UsageError } from '../usage.error.js';
import { quoteVisible } from '../visible-text.js';
import { DEV_OPTIONS, parseDevOptions, type DevOptions } from './dev-options.js';
import { Development } from './development.js';
import { findScript } from './find-script.js';
import { buildRunArguments, findPackageManager } from './package-manager.js';
import { ReportServer } from './report-server.js';
import { GRACE_MS, ScriptProcess } from './script-process.js';
import { StringDecoder } from 'node:string_decoder';
import type { Readable, Writable } from 'node:stream';

/** The signals of a terminal that end a process; `SIGBREAK` is sent on Windows. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGBREAK'] as const;

/** Ctrl-C arrives twice if the parent process forwards it. */
const SAME_PRESS_MS = 500;

/** The callbacks for stopping the script. */
interface StopListener {
  readonly print: (line: string) => void;
  readonly onStop: () => void;
}

/**
 * Forwards signals that end this process to a script: the first one requests it to exit, and the second one kills it.
 * Returns a function that stops forwarding.
 */
function stopOnSignals(
  script: Pick<ScriptProcess, 'stop' | 'kill'>,
  { print, onStop }: StopListener,
): () => void {
  let stoppedAt: number | undefined;
  let late: NodeJS.Timeout | undefined;
  const take = (signal: NodeJS.Signals): void => {
    const now = performance.now();
    if (stoppedAt !== undefined) return now - stoppedAt < SAME_PRESS_MS ? undefined : script.kill();
    stoppedAt = now;
    onStop();
    // Ctrl-\\ must not make the application dump its core.
    script.stop(signal === 'SIGQUIT' || signal === 'SIGBREAK' ? 'SIGTERM' : signal);
    const isAttended = signal === 'SIGINT' && process.stdin.isTTY;
    if (isAttended) print('Stopping the application; press Ctrl-C again to kill it');
    // Without a terminal, there is no second Ctrl-C.
    else late = setTimeout(() => script.kill(), GRACE_MS);
  };
  for (const signal of SIGNALS) process.on(signal, take);
  return () => {
    clearTimeout(late);
    for (const signal of SIGNALS) process.off(signal, take);
  };
}

const HELP: Help = {
  usage: ['dev [options] [-- argument ...]'],
  description:
    "Run the watch script of the app in this folder, and show the server's capabilities, each call, and errors with their source code. Clients stay connected across restarts and are notified of changed lists. Press Ctrl-C to stop.",
  operands: { '-- argument ...': 'Arguments for the script' },
  options: DEV_OPTIONS,
  exitCodes: { 2: 'Invalid usage, or nothing to start', other: 'The exit code of the script' },
};

/** Milliseconds without a report before a warning. */
const SILENCE_MS = 60_000;

/** Starts this folder's application, and shows its calls and errors: `nestjs-mcp-cli dev`. */
export const devCommand: Command = {
  help: HELP,
  run: (args, terminal) =>
    runSafely({ args, terminal, usage: formatHelp(HELP) }, () => runDev(parseDevOptions(args), terminal)),
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
  // Clean up even if something else ends this process, such as a closed output.
  const leave = (): void => {
    server.close();
    script?.kill();
  };
  process.once('exit', leave);
  try {
    await server.listen();
    const environment = buildEnvironment(terminal, server);
    script = new ScriptProcess({ command, args, cwd: root, environment });
    const code = await waitForExit(script, { output, development, print });
    if (code !== 0) print([`${quoteVisible(name)} exited with code ${code}`]);
    return code;
  } finally {
    process.off('exit', leave);
    leave();
  }
}

/** @throws {UsageError} if there is nothing to start */
function planScript(options: DevOptions, { environment }: Terminal, root: string) {
  if (environment['NODE_ENV'] === 'production') {
    throw new UsageError(
      '"NODE_ENV" is "production", which disables reports: unset it, or set it to "development"',
    );
  }
  const project = new ProjectFolder(root);
  const { name, args } = findScript(project, options);
  const command = findPackageManager(project, environment['npm_config_user_agent']);
  return { name, command, args: buildRunArguments(command, name, args) };
}

function buildEnvironment({ environment }: Terminal, { invitation }: ReportServer): NodeJS.ProcessEnv {
  const { FORCE_COLOR, NO_COLOR } = environment;
  // Programs disable colors when they write to a pipe, although the output ends up in a terminal.
  const isInColor = process.stdout.isTTY && FORCE_COLOR === undefined && NO_COLOR === undefined;
  return {
    ...environment,
    ...(isInColor && { FORCE_COLOR: '1' }),
    [DEVELOPMENT_VARIABLE]: formatDevConnection(invitation),
  };
}

/** The sequences that clear a terminal. They would remove earlier lines. */
// eslint-disable-next-line no-control-regex -- this is what the pattern matches
const CLEAR = /\u001bc|\u001b\[(?:[23]?J|H|1;1H|0f)/g;

/** Colors and other styles. */
// eslint-disable-next-line no-control-regex -- this is what the pattern matches
const STYLE = /\u001b\[[\d;?]*[A-Za-z]/g;

/** A longer line is not a stack frame. */
const LONGEST_LINE = 4096;

/** Forwards a script's output, and separates it from the lines of this command. */
export class ScriptOutput {
  #isAtStart = true;

  /**
   * Forwards an output with backpressure.
   *
   * @param onLine receives each line without styles
   */
  follow(output: Readable, target: Writable, onLine: (line: string) => void): void {
    const decoder = new StringDecoder('utf8');
    let rest = '';
    output.on('data', (chunk: Buffer) => {
      const text = decoder.write(chunk).replace(CLEAR, '');
      if (text === '') return;
      this.#isAtStart = text.endsWith('\n');
      if (!target.destroyed && !target.write(text)) {
        output.pause();
        target.once('drain', () => output.resume());
      }
      const lines = (rest + text).split('\n');
      rest = (lines.pop() ?? '').slice(0, LONGEST_LINE);
      for (const line of lines) onLine(line.slice(0, LONGEST_LINE).replace(STYLE, '').replace(/\r$/, ''));
    });
    // The reader of the output may have closed it.
    output.on('error', () => undefined);
  }

  /** Starts a new line for the next message. */
  begin(target: Writable): void {
    if (!this.#isAtStart) target.write('\n');
    this.#isAtStart = true;
  }
}

/** The parts that process a script's output. */
interface ScriptHandlers {
  readonly output: ScriptOutput;
  readonly development: Development;
  readonly print: (lines: readonly string[]) => void;
}

/** Waits for a script to exit, and returns its exit code. */
async function waitForExit(
  script: ScriptProcess,
  { output, development, print }: ScriptHandlers,
): Promise<number> {
  const stopListening = stopOnSignals(script, {
    print: (line) => print([line]),
    onStop: () => development.end(),
  });
  const { stdin, stdout, stderr } = script.streams;
  output.follow(stdout, process.stdout, development.onLine);
  output.follow(stderr, process.stderr, development.onLine);
  stdin.on('error', () => undefined);
  process.stdin.pipe(stdin);
  const silence = setTimeout(() => warnIfNoReport(development, print), SILENCE_MS);
  try {
    return await script.ended;
  } finally {
    clearTimeout(silence);
    process.stdin.unpipe();
    stopListening();
    development.close();
  }
}

/** Opens the explorer, except in CI and without a terminal. */
function openPage(url: string, { opensBrowser }: DevOptions, { environment }: Terminal): void {
  const isAttended = process.stdout.isTTY && process.stdin.isTTY && !environment['CI'];
  if (!opensBrowser || !isAttended) return;
  // The URL is printed anyway.
  openBrowser(url).catch(() => undefined);
}

function warnIfNoReport(development: Development, print: (lines: readonly string[]) => void): void {
  if (development.isKnown) return;
  print([
    'No server has reported yet: if the application is running, make sure that it imports McpModule, and that nothing sets NODE_ENV to "production"',
  ]);
}
