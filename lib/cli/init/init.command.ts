import { ExitCode, type Command, type Terminal } from '../command.interface.js';
import { parseInitOptions, type InitOptions } from './init-options.js';
import { InitError } from './init.error.js';
import { planInit } from './plan-init.js';
import { ProjectFolder } from './project-folder.js';
import type { FileChange } from './project.interface.js';

const USAGE = `Usage: nestjs-mcp init [options]

  --module <path>   the file of the root module (src/app.module.ts)
  --name <name>     what the first tool's file is called after (greeting: src/greeting.tools.ts)
  --dry-run         say what would be done, and do nothing

Exit codes: 0 done, or nothing to do; 1 something is to be written by hand; 2 usage`;

const NEXT_STEPS = `
Next:
  npm install
  npm run start:dev
  npm run mcp:doctor     # looks at http://127.0.0.1:3000/mcp as a client would
  npm run mcp:inspect    # the official inspector, in a browser`;

/** Adds a server and a first tool to the Nest application in this folder: `nestjs-mcp init`. */
export const initCommand: Command = { run: (args, terminal) => Promise.resolve(runInit(args, terminal)) };

/** Does the same for the application in any folder. */
export function runInit(args: readonly string[], terminal: Terminal, folder: string = process.cwd()): number {
  if (args.includes('--help') || args.includes('-h')) {
    terminal.print(USAGE);
    return ExitCode.success;
  }
  const options = attempt(() => parseInitOptions(args), terminal);
  if (options === undefined) {
    terminal.complain(`\n${USAGE}`);
    return ExitCode.usage;
  }
  const project = new ProjectFolder(folder);
  const changes = attempt(() => planInit(project, options), terminal);
  if (changes === undefined) return ExitCode.failure;
  if (!options.isDryRun) project.write(changes);
  report(changes, options, terminal);
  return ExitCode.success;
}

/** Does something, or says why it cannot be done. */
function attempt<T>(action: () => T, terminal: Terminal): T | undefined {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof InitError)) throw error;
    terminal.complain(error.message);
    if (error.byHand !== '') terminal.complain(`Nothing was changed; write this by hand:\n\n${error.byHand}`);
    return undefined;
  }
}

function report(changes: readonly FileChange[], { isDryRun }: InitOptions, terminal: Terminal): void {
  if (changes.length === 0) return terminal.print('Everything is there already');
  const would = isDryRun ? 'would ' : '';
  const [create, change] = isDryRun ? ['create', 'change'] : ['created', 'changed'];
  for (const { path, isCreated } of changes) terminal.print(`${would}${isCreated ? create : change} ${path}`);
  if (!isDryRun) terminal.print(NEXT_STEPS);
}
