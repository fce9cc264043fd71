import { parseObject } from './parse-object.js';

/** What `init` reads of a `package.json`. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  /** Whether files ending in `.js` are ES modules. */
  readonly isModule: boolean;
  /** Finds which versions of a package the application depends on, for whatever; nothing where it does not. */
  findRange(name: string): string | undefined;
}

type Section = Record<string, string>;

const SECTIONS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const;

/**
 * Reads a `package.json`.
 *
 * @throws {InitError} where it is none
 */
export function parseManifest(text: string): Manifest {
  const members = parseObject('package.json', text);
  const { name, version, type } = members;
  return {
    name: typeof name === 'string' && name !== '' ? name : 'app',
    version: typeof version === 'string' && version !== '' ? version : '0.0.1',
    isModule: type === 'module',
    findRange: (dependency) =>
      SECTIONS.map((section) => readSection(members, section)[dependency]).find(
        (range) => range !== undefined,
      ),
  };
}

/** What goes into a `package.json`, by member; what is there already stays as it is. */
export interface ManifestAdditions {
  readonly dependencies: Section;
  readonly scripts: Section;
}

/** Adds dependencies and scripts, in the form that the file has. */
export function editManifest(text: string, { dependencies, scripts }: ManifestAdditions): string {
  const members = parseObject('package.json', text);
  const { findRange } = parseManifest(text);
  const missing = Object.entries(dependencies).filter(([name]) => findRange(name) === undefined);
  const known = readSection(members, 'scripts');
  const unknown = Object.entries(scripts).filter(([name]) => !(name in known));
  if (missing.length === 0 && unknown.length === 0) return text;
  if (unknown.length > 0) members['scripts'] = { ...known, ...Object.fromEntries(unknown) };
  if (missing.length > 0) {
    const entries = [...Object.entries(readSection(members, 'dependencies')), ...missing];
    members['dependencies'] = Object.fromEntries(
      entries.toSorted(([one], [other]) => (one < other ? -1 : 1)),
    );
  }
  return format(members, text);
}

function readSection(members: Readonly<Record<string, unknown>>, name: string): Section {
  const section = members[name];
  return typeof section === 'object' && section !== null ? { ...(section as Section) } : {};
}

function format(members: object, original: string): string {
  const indent = /^([ \t]+)"/m.exec(original)?.[1] ?? '  ';
  const lineEnd = original.includes('\r\n') ? '\r\n' : '\n';
  const text = JSON.stringify(members, undefined, indent).replaceAll('\n', lineEnd);
  return original.endsWith('\n') ? text + lineEnd : text;
}
