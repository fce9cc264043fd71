import { join, posix, relative, resolve, sep } from 'node:path';
import { ApplicationError } from '../application/application.error.js';
import { JEST_COMPILERS } from '../application/edit-jest.js';
import { editManifest, parseManifest } from '../application/edit-manifest.js';
import type { Step } from '../application/format-steps.js';
import { explainJest, planJest } from '../application/plan-jest.js';
import { type Project, ProjectFolder } from '../application/project-folder.js';
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
import { noteAuthorizationServers } from './rules/authorization-server.rule.js';
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

/** Names that only release 2 exports. */
const OF_SECOND = /\b(?:McpStrategy|McpController|MCP_STRATEGY|McpHttpControllerFor)\b/;

/** Detects the release that a project uses, from its sources or else from its dependencies. */
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

/** The rules in order. Imports are last, because they depend on what the other rules use. */
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
  noteAuthorizationServers,
  migrateImports,
];

/** The changes of a migration. */
export interface MigrationPlan {
  /** Changed files, with paths relative to the project folder. */
  readonly changes: readonly MigrationChange[];
  /** Notes in addition to the changes. */
  readonly notes: readonly string[];
  /** Where errors are thrown whose messages callers no longer receive. */
  readonly plainErrors: readonly PlainError[];
  /** All sources as they were read. Unchanged ones may contain comments of an earlier run. */
  readonly sources: readonly TextFile[];
  /** What to run next. */
  readonly steps: readonly Step[];
}

/**
 * Plans the changes that migrate a project from `@rekog/mcp-nest`. Nothing is written.
 *
 * @throws {ApplicationError} if the folder has no `package.json`
 */
export function planMigration(folder: string, morph: TsMorph): MigrationPlan {
  const manifest = findManifest(folder);
  if (manifest === undefined) {
    throw new ApplicationError('This folder has no "package.json": run "migrate" in the application folder');
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
  return `"${path}" was not changed: ${why}`;
}

const OFFICIAL_SERVER = /['"]@modelcontextprotocol\/(?:sdk\/server|server['"])/;

/** Official SDK handlers are functions, which only their author can turn into methods. */
function noteOfficialServer(texts: readonly string[]): readonly string[] {
  if (!texts.some((text) => OFFICIAL_SERVER.test(text))) return [];
  return [`Rewrite official SDK servers by hand: see ${findPage('migration/from-the-official-sdk.md')}`];
}

function createMigration({ project, morph, folder, sources }: OpenProject, release: Release): Migration {
  const facts: MigrationFacts = { morph, origins: new Origins(morph, project), release };
  const files = sources.map(({ path, text }) => {
    const file = project.getSourceFileOrThrow(join(folder, path));
    return new SourceMigration(path, file, text, facts);
  });
  return new Migration(facts, files);
}

/** Builds the change to a file, or none if no rule changes it. */
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

/** The changes that let the application's tests load this package. */
interface PlannedTests {
  /** The content of `package.json`. */
  readonly text: string;
  /** Changes to other files with Jest settings. */
  readonly changes: readonly MigrationChange[];
  readonly notes: readonly string[];
}

/** Sets up Jest as `init` does. Scripts in the manifest contain paths relative to its folder. */
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
