import { posix } from 'node:path';
import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { OWN_PAGES } from '../../core/package/own-pages.js';
import { readCliSettings } from './cli-settings.js';
import type { Manifest } from './edit-manifest.js';
import { editJest, isJestReady } from './edit-jest.js';
import type { FileChange, Project } from './project.interface.js';

/** What makes Jest load the package in an application of CommonJS. */
export interface JestPlan {
  /** The text of `package.json`. */
  readonly manifest: string;
  /** Other files with settings of Jest. */
  readonly changes: readonly FileChange[];
  /** Whether something was changed, which needs compilers. */
  readonly isChanged: boolean;
  /** Files whose settings are of a shape that is better left to its author. */
  readonly byHand: readonly string[];
}

/** Settings that Jest finds by itself. */
const FOUND = ['ts', 'js', 'mjs', 'cjs', 'json'].map((extension) => `jest.config.${extension}`);

const NAMED = /\bjest\b[^&|;]*?\s(?:--config|-c)(?:=|\s+)["']?([^\s"'&|;]+)/g;

/** Finds the changes. Returns `undefined` if the application has ES modules or does not use Jest. */
export function planJest(project: Project, manifest: string, facts: Manifest): JestPlan {
  const nothing = { manifest, changes: [], isChanged: false, byHand: [] };
  if (facts.isModule || facts.findRange('jest') === undefined) return nothing;
  const own = editMember(manifest);
  const files = listSettings(project, facts).map((path) => editFile(project, path));
  const changes = files.flatMap(({ change }) => (change === undefined ? [] : [change]));
  return {
    manifest: own.text ?? manifest,
    changes,
    isChanged: changes.length > 0 || (own.text ?? manifest) !== manifest,
    byHand: [
      ...(own.text === undefined ? ['package.json'] : []),
      ...files.flatMap(({ path, isKnown }) => (isKnown ? [] : [path])),
    ],
  };
}

/** Says what to do with settings that were left alone. */
export function explainJest(path: string): string {
  return `Jest has to compile this package, and the settings in "${path}" are not as the Nest CLI writes them: add "transform" and "transformIgnorePatterns" as "Jest on CommonJS" in ${OWN_PAGES}/getting-started.md shows`;
}

/** Edits the member `jest` of a `package.json`, if it has one. */
function editMember(manifest: string): { readonly text: string | undefined } {
  const root = parseTree(manifest);
  const member = root && findNodeAtLocation(root, ['jest']);
  if (member === undefined || member.type !== 'object') return { text: manifest };
  const end = member.offset + member.length;
  const settings = manifest.slice(member.offset, end);
  if (isJestReady(settings)) return { text: manifest };
  const edited = editJest(settings);
  const text = edited && `${manifest.slice(0, member.offset)}${edited}${manifest.slice(end)}`;
  return { text };
}

function listSettings(project: Project, { scripts }: Manifest): readonly string[] {
  const named = Object.values(scripts).flatMap((script) =>
    [...script.matchAll(NAMED)].map(([, path = '']) => posix.normalize(path)),
  );
  const ofProjects = readCliSettings(project).projectRoots.map((root) =>
    posix.join(root, 'test/jest-e2e.json'),
  );
  const all = new Set([...named, ...ofProjects, ...FOUND]);
  return [...all].filter((path) => path !== 'package.json' && project.read(path) !== undefined);
}

interface EditedFile {
  readonly path: string;
  readonly change?: FileChange;
  readonly isKnown: boolean;
}

function editFile(project: Project, path: string): EditedFile {
  const settings = project.read(path) ?? '';
  if (isJestReady(settings)) return { path, isKnown: true };
  const text = editJest(settings);
  if (text === undefined) return { path, isKnown: false };
  return { path, isKnown: true, change: { path, text, isCreated: false } };
}
