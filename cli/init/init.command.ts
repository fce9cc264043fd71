import { listAddedPackages } from '../application/added-packages.js';
import { ApplicationError } from '../application/application.error.js';
import { formatChanges } from '../application/format-changes.js';
import { type Plan, ProjectFolder } from '../application/project-folder.js';
import { ExitCode, type Command, type Terminal } from '../command.interface.js';
import { findPackageManager } from '../dev/package-manager.js';
import { formatHelp, type Help } from '../help.js';
import { runSafely, type Failure } from '../run-safely.js';
import { findRootModule } from './find-root-module.js';
import { INIT_OPTIONS, parseInitOptions, type InitOptions } from './init-options.js';
import { formatNextSteps } from './next-steps.js';
import { planInit } from './plan-init.js';

const HELP: Help = {
  usage: ['init [options]'],
  description:
    'Add an MCP server, a sample tool and scripts to the Nest app in this folder. Existing code is not changed.',
  options: INIT_OPTIONS,
  exitCodes: {
    0: 'Success, or nothing to do',
    1: 'Manual changes are required',
    2: 'Invalid usage',
  },
};

/** Adds a server and a sample tool to the Nest application in this folder: `nestjs-mcp-cli init`. */
export const initCommand: Command = { help: HELP, run: (args, terminal) => runInit(args, terminal) };

/** Runs the command for the application in any folder. */
export function runInit(
  args: readonly string[],
  terminal: Terminal,
  folder: string = process.cwd(),
): Promise<number> {
  return runSafely({ args, terminal, usage: formatHelp(HELP), explain: explainInit }, async () => {
    const options = parseInitOptions(args);
    const project = new ProjectFolder(folder);
    const plan = planInit(project, { ...options, module: findRootModule(project, options) });
    const packages = listAddedPackages(plan.changes, project);
    if (!options.isDryRun) project.write(await formatChanges(plan.changes, { root: folder, project }));
    report(plan, options, terminal);
    const manager = findPackageManager(project, terminal.environment['npm_config_user_agent']);
    if (!options.isDryRun && plan.changes.length > 0) {
      const installs = packages.length > 0;
      terminal.print(formatNextSteps({ ...plan, manager, installs }));
    }
    for (const note of plan.notes) terminal.complain(note);
    return ExitCode.success;
  });
}

function explainInit(error: unknown): Failure | undefined {
  if (!(error instanceof ApplicationError)) return undefined;
  const { message, byHand } = error;
  const instruction = byHand === '' ? '' : `\nNothing was changed; write this by hand:\n\n${byHand}`;
  return { exitCode: ExitCode.failure, message: `${message}${instruction}` };
}

function report({ changes }: Plan, { isDryRun }: InitOptions, terminal: Terminal): void {
  if (changes.length === 0) return terminal.print('Everything is already set up');
  const would = isDryRun ? 'would ' : '';
  const [create, change] = isDryRun ? ['create', 'change'] : ['created', 'changed'];
  for (const { path, isCreated } of changes) terminal.print(`${would}${isCreated ? create : change} ${path}`);
}
