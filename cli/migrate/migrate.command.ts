import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { ApplicationError } from '../application/application.error.js';
import { formatChanges } from '../application/format-changes.js';
import { formatSteps } from '../application/format-steps.js';
import { Interrupt } from '../call/interrupt.js';
import { ExitCode, type Command, type Terminal } from '../command.interface.js';
import { flagOption, formatHelp, type Help, valueOption } from '../help.js';
import { parseArguments } from '../parse-arguments.js';
import { runSafely, type Failure } from '../run-safely.js';
import { UsageError } from '../usage.error.js';
import { makeVisible } from '../visible-text.js';
import { ChangedError, WriteError, writeTogether } from './write-together.js';
import { OURS } from './replacements/exported-names.js';
import { formatDiff } from './format-diff.js';
import type { MigrationChange } from './migration-change.js';
import { formatPlainErrors } from './plain-errors.js';
import { planMigration, type MigrationPlan } from './plan-migration.js';
import { loadTsMorph } from './source/load-ts-morph.js';
import { markText } from './source/read-text-file.js';
import { MARK } from './replacements/decisions.js';

/** The options of `migrate` on the command line. */
interface MigrateOptions {
  /** The project folder. */
  readonly folder: string;
  /** Whether to write without confirmation. */
  readonly isConfirmed: boolean;
  /** Whether to show the changes, and write nothing. */
  readonly isDryRun: boolean;
  /** Whether to overwrite uncommitted changes. */
  readonly isForced: boolean;
}

const OPTIONS = {
  project: { ...valueOption('<folder>', 'App folder, in a monorepo', 'this folder'), default: '.' },
  yes: { ...flagOption('Write without asking'), default: false },
  'dry-run': { ...flagOption('Show the changes without writing them'), default: false },
  force: { ...flagOption('Overwrite uncommitted changes'), default: false },
};

/**
 * Reads the arguments of `migrate`.
 *
 * @throws {UsageError} if they are invalid
 */
function parseMigrateOptions(args: readonly string[], folder: string): MigrateOptions {
  const { values, positionals } = parseArguments(args, OPTIONS);
  if (positionals.length > 0) throw new UsageError('"migrate" accepts only options');
  const project = resolve(folder, values.project);
  if (statSync(project, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new UsageError('"--project" must be an application folder, such as "apps/shop"');
  }
  return { folder: project, isConfirmed: values.yes, isDryRun: values['dry-run'], isForced: values.force };
}

/**
 * Finds files with uncommitted changes, and untracked files. Returns `undefined` if git does not track any of the
 * files. A changed `package.json` does not count, because installing this package and its command line changes it.
 */
function findUncommitted(folder: string, paths: readonly string[]): readonly string[] | undefined {
  const changed: string[] = [];
  let isUnknown = false;
  for (const path of paths) {
    const file = resolve(folder, path);
    const status = readStatus(file);
    if (status === undefined) isUnknown = true;
    else if (status !== '' && !isInstalledOnly(file)) changed.push(path);
  }
  return isUnknown && changed.length === 0 ? undefined : changed;
}

function readStatus(file: string): string | undefined {
  if (!existsSync(file)) return '';
  return runGit(file, ['status', '--porcelain', '--', file]);
}

function runGit(file: string, args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', args, {
      cwd: dirname(file),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return undefined;
  }
}

const MANIFEST = 'package.json';

/** Checks whether the entries of this package and its command line are the only changes to a committed manifest. */
function isInstalledOnly(file: string): boolean {
  if (basename(file) !== MANIFEST) return false;
  const committed = runGit(file, ['show', `HEAD:./${MANIFEST}`]);
  if (committed === undefined) return false;
  try {
    return isDeepStrictEqual(readWithout(readFileSync(file, 'utf8')), readWithout(committed));
  } catch {
    // One of them is not JSON.
    return false;
  }
}

/** Reads a manifest without both packages, and without a section that contains nothing else. */
function readWithout(text: string): Readonly<Record<string, unknown>> {
  const manifest = JSON.parse(text.replace(/^\uFEFF/, '')) as Record<
    string,
    Record<string, unknown> | undefined
  >;
  for (const section of ['dependencies', 'devDependencies']) {
    const listed = manifest[section];
    if (typeof listed !== 'object') continue;
    const { [OURS]: _server, [`${OURS}-cli`]: _cli, ...others } = listed;
    manifest[section] = Object.keys(others).length === 0 ? undefined : others;
  }
  return JSON.parse(JSON.stringify(manifest)) as Record<string, unknown>;
}

const HELP: Help = {
  usage: ['migrate [options]'],
  description: `Rewrite the app in this folder from "@rekog/mcp-nest", 1.x or 2.x, to this package. Shows all changes and asks for confirmation before it writes them. Leaves a ${MARK} comment wherever you have to decide, and lists these comments and the next steps at the end.`,
  options: OPTIONS,
  exitCodes: { 0: 'Success, or nothing to do', 1: 'Nothing was written', 2: 'Invalid usage' },
};

/** Rewrites an application from another package to this one: `nestjs-mcp-cli migrate`. */
export const migrateCommand: Command = { help: HELP, run: (args, terminal) => runMigrate(args, terminal) };

/** Runs the command for the application in any folder. */
export function runMigrate(
  args: readonly string[],
  terminal: Terminal,
  folder: string = process.cwd(),
): Promise<number> {
  return runSafely({ args, terminal, usage: formatHelp(HELP), explain: explainMigration }, async () => {
    const options = parseMigrateOptions(args, folder);
    const plan = planMigration(options.folder, await loadTsMorph());
    const changes = await format(plan, options);
    if (!options.isDryRun && isRefused(changes, options, terminal)) return ExitCode.failure;
    for (const note of plan.notes) terminal.complain(makeVisible(note));
    show(changes, terminal);
    if (changes.length === 0) terminal.print('There is nothing to migrate');
    if (changes.length === 0 || options.isDryRun) return printRemainingWork(changes, plan, terminal);
    if (!options.isConfirmed && !(await isWanted(terminal))) return ExitCode.failure;
    await write(changes, options, () => terminal.print(summarize(changes)));
    printRemainingWork(changes, plan, terminal);
    terminal.print(makeVisible(formatSteps(plan.steps)));
    return ExitCode.success;
  });
}

function explainMigration(error: unknown): Failure | undefined {
  const isExpected = [ApplicationError, ChangedError, WriteError].some((kind) => error instanceof kind);
  if (!isExpected) return undefined;
  return { exitCode: ExitCode.failure, message: makeVisible((error as Error).message) };
}

/** Formats the changes with the application's Prettier. */
function format({ changes }: MigrationPlan, { folder }: MigrateOptions): Promise<readonly MigrationChange[]> {
  const read = (path: string) => {
    const before = changes.find((change) => change.path === path)?.before;
    return before && readBefore({ before });
  };
  return formatChanges(changes, { root: folder, project: { read } });
}

function show(changes: readonly MigrationChange[], terminal: Terminal): void {
  for (const change of changes) {
    const { path, text } = change;
    terminal.print(makeVisible(formatDiff({ path, before: readBefore(change), after: text })));
  }
}

function readBefore({ before }: Pick<MigrationChange, 'before'>): string {
  return before === undefined ? '' : markText(before, before.text);
}

/** Prints the remaining work last, where it is noticed. Its line numbers refer to the written files. */
function printRemainingWork(
  changes: readonly MigrationChange[],
  { sources, plainErrors }: MigrationPlan,
  terminal: Terminal,
): number {
  const written = new Map(changes.map(({ path, text }) => [path, text]));
  const places = findRemainingWork([...changes, ...sources.filter(({ path }) => !written.has(path))]);
  const errors = formatPlainErrors(plainErrors, (path) => written.get(path));
  if (places.length > 0) terminal.complain(makeVisible(formatRemainingWork(places)));
  if (errors !== undefined) terminal.complain(makeVisible(errors));
  return ExitCode.success;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** If Ctrl-C is pressed while files are being written, the command ends only after all of them are written. */
async function write(
  changes: readonly MigrationChange[],
  { folder }: MigrateOptions,
  tell: () => void,
): Promise<void> {
  const interrupt = new Interrupt(SIGNALS);
  interrupt.begin();
  try {
    writeTogether(folder, changes);
    tell();
    // Signals are delivered in the next turn of the event loop.
    await setImmediate();
  } finally {
    interrupt.end();
  }
}

/** Uncommitted changes could not be distinguished from the command's changes afterwards. */
function isRefused(
  changes: readonly MigrationChange[],
  { folder, isForced }: MigrateOptions,
  terminal: Terminal,
): boolean {
  const paths = changes.map(({ path }) => path);
  const uncommitted = isForced ? [] : (findUncommitted(folder, paths) ?? []);
  if (uncommitted.length === 0) return false;
  terminal.complain(
    `Nothing was written: these files have uncommitted changes: ${makeVisible(uncommitted.join(', '))}. Commit them, or overwrite them with "--force"`,
  );
  return true;
}

async function isWanted(terminal: Terminal): Promise<boolean> {
  const { keyboard } = terminal;
  if (keyboard?.isTerminal !== true) {
    terminal.complain(
      'Nothing was written, because confirmation requires a terminal: pass "--yes" to write without asking',
    );
    return false;
  }
  const typed = await keyboard.ask('Write these changes? [y/N] ');
  if (/^y(?:es)?$/i.test(typed?.trim() ?? '')) return true;
  terminal.complain('Nothing was written');
  return false;
}

function summarize(changes: readonly MigrationChange[]): string {
  return changes.length === 1 ? 'Changed 1 file' : `Changed ${changes.length} files`;
}

/** A location that requires a decision. */
export interface RemainingWork {
  readonly path: string;
  readonly line: number;
  /** The problem, and what to do. */
  readonly text: string;
  /** The page section that explains it. */
  readonly page: string;
}

const COMMENT = new RegExp(`${MARK.replaceAll(/[()]/g, String.raw`\$&`)}: (.*?) See (\\S+)$`);

/** Finds the locations that require a decision, marked by this and earlier runs of the command. */
export function findRemainingWork(
  files: readonly { readonly path: string; readonly text: string }[],
): readonly RemainingWork[] {
  return files.flatMap(({ path, text }) =>
    text.split(/\r?\n/).flatMap((line, index) => {
      const [, said = '', page = ''] = COMMENT.exec(line.trimEnd()) ?? [];
      return page === '' ? [] : [{ path, line: index + 1, text: said, page }];
    }),
  );
}

/** Lists the locations and what to do. */
export function formatRemainingWork(places: readonly RemainingWork[]): string {
  const lines = places.map(({ path, line, text, page }) => `  ${path}:${line}\n    ${text}\n    See ${page}`);
  return ['Remaining work:', ...lines].join('\n');
}
