import { realpathSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { applyEdits, findNodeAtLocation, modify, parseTree } from 'jsonc-parser';
import { readOwnPackage } from '../../lib/core/package/own-package.js';
import { ApplicationError } from '../application/application.error.js';
import { parseManifest } from '../application/edit-manifest.js';
import type { FileChange } from '../application/project-folder.js';
import { isZodRange } from '../application/zod-range.js';
import { removeMember } from '../clients/json-edit.js';
import { OURS, THEIR_AUTHORIZATION, THEIR_PACKAGE } from './replacements/exported-names.js';
import type { MigrationChange } from './migration-change.js';
import { markText, readTextFile, type TextFile } from './source/read-text-file.js';

/** The `package.json` that contains the package, in the project or in a parent folder. */
export interface FoundManifest {
  readonly found: TextFile;
  /** The file folder. */
  readonly place: string;
  /** The range of the package; absent if it is not a dependency. */
  readonly range: string | undefined;
}

/** The facts that dependency changes are based on. */
export interface ManifestFacts {
  readonly folder: string;
  /** The changed sources. */
  readonly changes: readonly FileChange[];
  /** All sources, including unreadable ones, which may import anything. */
  readonly sources: readonly { readonly path: string; readonly text: string | undefined }[];
}

const SECTIONS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const;

/** Packages that only the other package needed, unless something else imports them. */
const ITS_PEERS = [
  '@modelcontextprotocol/sdk',
  '@modelcontextprotocol/server',
  '@modelcontextprotocol/core',
  '@modelcontextprotocol/node',
  '@nestjs/microservices',
  '@nestjs/jwt',
  '@nestjs/passport',
  'cookie-parser',
];

/**
 * Finds the nearest manifest that contains the package, or else the nearest.
 *
 * @throws {ApplicationError} if it cannot be changed
 */
export function findManifest(folder: string): FoundManifest | undefined {
  let nearest: FoundManifest | undefined;
  for (let place = resolve(folder); ; place = dirname(place)) {
    const found = readTextFile(place, 'package.json');
    // Unreadable manifests above the nearest one belong to other projects.
    if (found !== undefined && (nearest === undefined || !('why' in found))) {
      const manifest = readManifest(place, found);
      if (manifest.range !== undefined) return manifest;
      nearest ??= manifest;
    }
    if (place === dirname(place)) return nearest;
  }
}

function readManifest(place: string, found: NonNullable<ReturnType<typeof readTextFile>>): FoundManifest {
  const file = join(place, 'package.json');
  if ('why' in found) throw new ApplicationError(`"${file}" cannot be changed: ${found.why}`);
  if (dirname(found.file) !== realpathSync(place))
    throw new ApplicationError(
      `"${file}" cannot be changed: it is a symbolic link to a file outside its folder`,
    );
  return { found, place, range: parseManifest(found.text).findRange(THEIR_PACKAGE) };
}

/** The new dependencies, and what remains to be done for them. */
export interface PlannedManifest {
  readonly text: string;
  readonly notes: readonly string[];
  /** Packages that only the other package needed and that no source imports. */
  readonly unused: readonly string[];
  /** Whether the application has a version of zod that cannot convert schemas to JSON Schema. */
  readonly needsZod: boolean;
}

/**
 * Replaces the dependency, or adds this package next to it if something still needs it, and lists what is no longer
 * needed.
 */
export function planManifest(
  manifest: FoundManifest,
  { folder, changes, sources }: ManifestFacts,
): PlannedManifest {
  const { found, place, range } = manifest;
  const { text } = found;
  if (range === undefined && changes.length === 0) return { text, notes: [], unused: [], needsZod: false };
  const changed = new Map(changes.map((change) => [change.path, change.text]));
  const texts = sources.flatMap((source) => changed.get(source.path) ?? source.text ?? []);
  const isUnknown = sources.some((source) => source.text === undefined);
  const { findRange } = parseManifest(text);
  const isShared = place !== resolve(folder);
  const isNeeded =
    isUnknown ||
    texts.some((one) => imports(one, THEIR_PACKAGE)) ||
    findRange(THEIR_AUTHORIZATION) !== undefined;
  const version = `^${readOwnPackage().version}`;
  const edited =
    isNeeded || isShared || findRange(OURS) !== undefined ? text : replaceDependency(text, version);
  const added = addDependency(edited, version);
  const final = isNeeded || isShared ? added : removeDependency(added);
  if (final === text) return { text, notes: [], unused: [], needsZod: false };
  const unused = isNeeded || isShared ? [] : listUnused(texts, findRange);
  const zod = findRange('zod');
  return {
    text: final,
    notes: explainStay({ isNeeded, isShared }),
    unused,
    needsZod: zod !== undefined && !isZodRange(zod),
  };
}

/** Builds the change that writes the manifest. */
export function changeManifest(
  { found, place }: FoundManifest,
  folder: string,
  text: string,
): readonly MigrationChange[] {
  const path = relative(resolve(folder), join(place, 'package.json')).split(sep).join('/');
  return text === found.text ? [] : [{ path, text: markText(found, text), isCreated: false, before: found }];
}

/** Replaces the dependency in place, so that nothing else in the file changes. */
function replaceDependency(text: string, version: string): string {
  const root = parseTree(text);
  for (const section of SECTIONS) {
    const value = root && findNodeAtLocation(root, [section, THEIR_PACKAGE]);
    const property = value?.parent;
    if (property === undefined) continue;
    const end = property.offset + property.length;
    return `${text.slice(0, property.offset)}"${OURS}": "${version}"${text.slice(end)}`;
  }
  return text;
}

/** Inserts the dependency in alphabetical order, unless it exists. */
function addDependency(text: string, version: string): string {
  if (parseManifest(text).findRange(OURS) !== undefined) return text;
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '  ';
  const edits = modify(text, ['dependencies', OURS], version, {
    formattingOptions: {
      insertSpaces: !indent.includes('\t'),
      tabSize: indent.length,
      eol: text.includes('\r\n') ? '\r\n' : '\n',
    },
    getInsertionIndex: (names) => names.filter((name) => name < OURS).length,
  });
  return applyEdits(text, edits);
}

function removeDependency(text: string): string {
  let left = text;
  for (const section of SECTIONS) {
    const root = parseTree(left);
    if (root !== undefined) left = removeMember(left, root, [section, THEIR_PACKAGE]);
  }
  return left;
}

function imports(text: string, name: string): boolean {
  const quoted = name.replaceAll('/', String.raw`\/`);
  return new RegExp(String.raw`^(?!\s*(?:\/\/|\*)).*['"]${quoted}(?:\/[^'"]*)?['"]`, 'm').test(text);
}

type FindRange = (name: string) => string | undefined;

function listUnused(texts: readonly string[], findRange: FindRange): readonly string[] {
  return ITS_PEERS.filter(
    (name) => findRange(name) !== undefined && !texts.some((text) => imports(text, name)),
  );
}

function explainStay({ isNeeded, isShared }: Readonly<Record<'isNeeded' | 'isShared', boolean>>) {
  if (isNeeded) return [`"${THEIR_PACKAGE}" stays in "package.json", because something still needs it`];
  return isShared
    ? [
        `"${THEIR_PACKAGE}" stays in the "package.json" of a parent folder: remove it once no project needs it`,
      ]
    : [];
}
