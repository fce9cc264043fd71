import { posix } from 'node:path';
import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { findPage } from '../find-page.js';
import { readCliSettings } from './cli-settings.js';
import type { Manifest } from './edit-manifest.js';
import { editJest, type EditedJest } from './edit-jest.js';
import type { FileChange, Project } from './project-folder.js';

/** The changes that let Jest load the package in a CommonJS application. */
export interface JestPlan {
  /** The content of `package.json`. */
  readonly manifest: string;
  /** Changes to other files with Jest settings. */
  readonly changes: readonly FileChange[];
  /** Whether the settings, edited or still to be written by hand, require compilers. */
  readonly needsCompilers: boolean;
  /** Settings that cannot be edited safely. */
  readonly byHand: readonly ManualSettings[];
}

/** Settings to change by hand. */
export interface ManualSettings {
  readonly path: string;
  /** The properties to write, merged with existing properties. */
  readonly members: readonly string[];
}

/** The application whose tests load the package. */
export interface TestedApplication {
  /** The content of `package.json`. */
  readonly manifest: string;
  readonly facts: Manifest;
  /** The source folder: it and its parent folders may contain settings. */
  readonly folder: string;
}

/** Settings files that Jest finds automatically. */
const FOUND = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs', 'json'].map((extension) => `jest.config.${extension}`);

/** The settings file that the Nest CLI generates for end-to-end tests. */
const END_TO_END = 'test/jest-e2e.json';

const NAMED = /\bjest\b[^&|;]*?\s(?:--config|-c)(?:=|\s+)["']?([^\s"'&|;]+)/g;

/** Plans the changes. There are none if the application uses ES modules or does not use Jest. */
export function planJest(project: Project, application: TestedApplication): JestPlan {
  const { manifest, facts } = application;
  const usesJest = (facts.findRange('jest') ?? project.findVersion('jest')) !== undefined;
  if (facts.isModule || !usesJest) return { manifest, changes: [], needsCompilers: false, byHand: [] };
  const own = editMember(project, manifest);
  const files = listSettings(project, application).map((path) => {
    const before = project.read(path) ?? '';
    return { path, before, ...editSettings(project, path, before) };
  });
  const changes = files.flatMap(({ path, before, text }) =>
    text === undefined || text === before ? [] : [{ path, text, isCreated: false }],
  );
  const byHand = [{ path: 'package.json', ...own }, ...files].filter(({ text }) => text === undefined);
  const edited = own.text ?? manifest;
  const needsCompilers = edited !== manifest || changes.length > 0 || byHand.length > 0;
  return { manifest: edited, changes, needsCompilers, byHand };
}

/** Explains what to do with settings that were not edited. */
export function explainJest({ path, members }: ManualSettings): string {
  const lines = [
    `Jest has to compile this package, but the settings in "${path}" cannot be changed automatically. Before you run tests, merge in`,
    `these members, as "Jest on CommonJS" in ${findPage('getting-started.md')} explains:`,
    ...members.map((member) => `  ${member}`),
  ];
  return lines.join('\n');
}

function editSettings(project: Project, path: string, text: string): EditedJest {
  const folder = posix.dirname(path);
  const readPreset = (preset: string) => project.read(posix.join(folder, preset.replace('<rootDir>', '.')));
  return editJest({ text, readPreset });
}

/** Edits the `jest` property of a `package.json`, if there is one. */
function editMember(project: Project, manifest: string): EditedJest {
  const root = parseTree(manifest);
  const member = root && findNodeAtLocation(root, ['jest']);
  if (member === undefined || member.type !== 'object') return { text: manifest, members: [] };
  const end = member.offset + member.length;
  const edited = editSettings(project, 'package.json', manifest.slice(member.offset, end));
  const text = edited.text && `${manifest.slice(0, member.offset)}${edited.text}${manifest.slice(end)}`;
  return { ...edited, text };
}

function listSettings(project: Project, { facts, folder: sources }: TestedApplication): readonly string[] {
  const named = Object.values(facts.scripts).flatMap((script) =>
    [...script.matchAll(NAMED)].map(([, path = '']) => posix.normalize(path)),
  );
  const folders = ['.', ...readCliSettings(project).projectRoots, ...listFolders(sources)];
  const usual = folders.flatMap((folder) => [END_TO_END, ...FOUND].map((file) => posix.join(folder, file)));
  const all = new Set([...named, ...usual]);
  return [...all].filter((path) => path !== 'package.json' && project.read(path) !== undefined);
}

/** Lists one of the application's folders and its parent folders, without the application's root. */
function listFolders(folder: string): readonly string[] {
  const isInside = !['.', '..', '', '/'].includes(folder);
  return isInside ? [folder, ...listFolders(posix.dirname(folder))] : [];
}
