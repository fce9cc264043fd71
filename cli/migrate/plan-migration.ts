import { join, posix, relative, resolve, sep } from 'node:path';
import { ApplicationError } from '../application/application.error.js';
import { JEST_COMPILERS } from '../application/edit-jest.js';
import { editManifest, parseManifest } from '../application/edit-manifest.js';
import type { Step } from '../application/format-steps.js';
import { explainJest, planJest } from '../application/plan-jest.js';
import { ProjectFolder } from '../application/project-folder.js';
import type { Project } from '../application/project.interface.js';
import { findPage } from '../find-page.js';
import { planToolAccess } from './access/tool-access.js';
import type { Release } from './replacements/replacement.interface.js';
import { THEIR_PACKAGE } from './replacements/exported-names.js';
import type { MigrationChange } from './migration-change.js';
import { Migration, type Rule } from './migration.js';
import { planNextSteps } from './next-steps.js';
import type { PlainError } from './plain-errors.js';
import { changeManifest, findManifest, planManifest, type FoundManifest } from './plan-manifest.js';
import { migrateAccess } from './rules/access.rule.js';
import { migrateCatalogs } from './rules/catalog.rule.js';
import { migrateContextTypes } from './rules/context-type.rule.js';
import { migrateContexts } from './rules/context.rule.js';
import { migrateControllers } from './rules/controllers.rule.js';
import { migrateDecoratorOptions } from './rules/decorator-options.rule.js';
import { migrateErrors } from './rules/errors.rule.js';
import { migrateFilters } from './rules/filters.rule.js';
import { migrateImports } from './rules/imports.rule.js';
import { markMocks } from './rules/mocks.rule.js';
import { migrateModules } from './rules/module.rule.js';
import { migrateParameters } from './rules/parameters.rule.js';
import { migratePipes } from './rules/pipe.rule.js';
import { findPlainErrors } from './rules/plain-errors.rule.js';
import { migrateStrategies } from './rules/strategy.rule.js';
import { migrateTokens } from './rules/tokens.rule.js';
import type { TsMorph } from './source/load-ts-morph.js';
import { openProject, type OpenProject } from './source/open-project.js';
import { Origins } from './source/origins.js';
import { markText, readTextFile, type TextFile, type UnreadFile } from './source/read-text-file.js';
import { SourceMigration, type MigrationFacts } from './source/source-migration.js';

/** What only release 2 has. */
const OF_SECOND = /\b(?:McpStrategy|McpController|MCP_STRATEGY|McpHttpControllerFor)\b/;

/** Tells which release a project has: by its sources, else by its dependencies. */
function findRelease(
  texts: readonly string[],
  { project, range }: { readonly project: Pick<Project, 'findVersion'>; readonly range: string | undefined },
): Release {
  const users = texts.filter((text) => text.includes(THEIR_PACKAGE));
  if (users.some((text) => OF_SECOND.test(text))) return 2;
  if (users.some((text) => /\bMcpModule\b/.test(text))) return 1;
  const version = project.findVersion(THEIR_PACKAGE) ?? range ?? '';
  return /^\D*([2-9]|\d{2})/.test(version) ? 2 : 1;
}

/** In their order: imports come last, since the others say what is used. */
const RULES: readonly Rule[] = [
  migrateDecoratorOptions,
  migrateAccess,
  migrateParameters,
  migrateContexts,
  migrateContextTypes,
  markMocks,
  migrateErrors,
  migrateFilters,
  findPlainErrors,
  migrateModules,
  migratePipes,
  migrateStrategies,
  migrateControllers,
  migrateCatalogs,
  migrateTokens,
  migrateImports,
];

/** What a migration would change. */
export interface MigrationPlan {
  /** By their paths, relative to the folder of the project. */
  readonly changes: readonly MigrationChange[];
  /** Notes in addition to the changes. */
  readonly notes: readonly string[];
  /** Where errors are thrown whose messages callers do not read any more. */
  readonly plainErrors: readonly PlainError[];
  /** All sources as they were read: an earlier run may have left something in those that do not change. */
  readonly sources: readonly TextFile[];
  /** What to run next. */
  readonly steps: readonly Step[];
}

/**
 * Finds what a project needs to leave `@rekog/mcp-nest`. Nothing is written.
 *
 * @throws {ApplicationError} if the folder has no `package.json`
 */
export function planMigration(folder: string, morph: TsMorph): MigrationPlan {
  const manifest = findManifest(folder);
  if (manifest === undefined) {
    throw new ApplicationError('"package.json" is not here: call "migrate" in the folder of the application');
  }
  const open = openProject(folder, morph);
  const texts = open.sources.map(({ text }) => text);
  const release = findRelease(texts, { project: new ProjectFolder(folder), range: manifest.range });
  const migration = createMigration(open, release);
  const isUsed = texts.some((text) => text.includes(THEIR_PACKAGE));
  if (isUsed) migration.access = planToolAccess(migration);
  if (isUsed) for (const rule of RULES) rule(migration);
  const sources = [
    ...migration.files.flatMap((file) => buildChange(open, file, migration.removed.has(file))),
    ...(migration.access === undefined ? [] : [migration.access.change]),
  ];
  const facts = { folder, changes: sources, sources: [...open.sources, ...open.unread] };
  const dependencies = planManifest(manifest, facts);
  const isLeft = isUsed || manifest.range !== undefined;
  const tests = planTests(manifest, folder, dependencies.text, isLeft);
  const changes = [...sources, ...tests.changes, ...changeManifest(manifest, folder, tests.text)];
  return {
    changes,
    notes: [
      ...(isLeft ? open.unread.map(noteUnread) : []),
      ...(isUsed ? migration.notes : noteOfficialServer(texts)),
      ...dependencies.notes,
      ...tests.notes,
    ],
    plainErrors: migration.plainErrors,
    sources: open.sources,
    steps: planNextSteps({ ...dependencies, folder, changes, manifest: tests.text }),
  };
}

function noteUnread({ path, why }: UnreadFile): string {
  return `"${path}" is left as it is: ${why}`;
}

const OFFICIAL_SERVER = /['"]@modelcontextprotocol\/(?:sdk\/server|server['"])/;

/** Handlers of the official SDK are functions, which nobody but their author makes methods of. */
function noteOfficialServer(texts: readonly string[]): readonly string[] {
  if (!texts.some((text) => OFFICIAL_SERVER.test(text))) return [];
  return [
    `Servers of the official SDK are rewritten by hand: see ${findPage('migration/from-the-official-sdk.md')}`,
  ];
}

function createMigration({ project, morph, folder, sources }: OpenProject, release: Release): Migration {
  const facts: MigrationFacts = { morph, origins: new Origins(morph, project), release };
  const files = sources.map(({ path, text }) => {
    const file = project.getSourceFileOrThrow(join(folder, path));
    return new SourceMigration(path, file, text, facts);
  });
  return new Migration(facts, files);
}

/** Returns the new text of a file, or `undefined` if no rule changes it. */
function buildChange(
  { sources }: OpenProject,
  file: SourceMigration,
  isRemoved: boolean,
): readonly MigrationChange[] {
  const changed = file.edits.apply();
  const before = sources.find(({ path }) => path === file.path);
  if (changed === file.text || before === undefined) return [];
  if (isRemoved) return [{ path: file.path, text: '', isCreated: false, before, isRemoved }];
  return [{ path: file.path, text: markText(before, changed), isCreated: false, before }];
}

/** What makes the application's tests load this package. */
interface PlannedTests {
  /** The text of `package.json`. */
  readonly text: string;
  /** Other files with settings of Jest. */
  readonly changes: readonly MigrationChange[];
  readonly notes: readonly string[];
}

/** Sets up Jest as `init` does. Scripts of the manifest name settings by paths from its folder. */
function planTests(
  { place }: FoundManifest,
  folder: string,
  text: string,
  isMigrated: boolean,
): PlannedTests {
  if (!isMigrated) return { text, changes: [], notes: [] };
  const inside = relative(place, resolve(folder)).split(sep).join('/');
  const jest = planJest(new ProjectFolder(place), {
    manifest: text,
    facts: parseManifest(text),
    folder: posix.join(inside, 'src'),
  });
  const changes = jest.changes.flatMap(({ path, text: after }): readonly MigrationChange[] => {
    const own = relative(resolve(folder), join(place, path)).split(sep).join('/');
    const before = readTextFile(folder, own);
    if (before === undefined || 'why' in before) return [];
    return [{ path: own, text: markText(before, after), isCreated: false, before }];
  });
  return {
    text: jest.needsCompilers
      ? editManifest(jest.manifest, { devDependencies: JEST_COMPILERS })
      : jest.manifest,
    changes,
    notes: jest.byHand.map(explainJest),
  };
}
