import { parseObject } from './parse-object.js';

/** What is read of a `package.json`. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  /** Whether files ending in `.js` are ES modules. */
  readonly isModule: boolean;
  /** Its scripts, by name. */
  readonly scripts: Readonly<Record<string, string>>;
  /** Finds which versions of a package the application depends on, for whatever. Returns `undefined` if it does not. */
  findRange(name: string): string | undefined;
}

type Section = Record<string, string>;

const SECTIONS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const;

/**
 * Reads a `package.json`.
 *
 * @throws {ApplicationError} if it is not one
 */
export function parseManifest(text: string): Manifest {
  const members = parseObject('package.json', text);
  const { name, version, type } = members;
  return {
    name: typeof name === 'string' && name !== '' ? name : 'app',
    version: typeof version === 'string' && version !== '' ? version : '0.0.1',
    isModule: type === 'module',
    scripts: readSection(members, 'scripts'),
    findRange: (dependency) =>
      SECTIONS.map((section) => readSection(members, section)[dependency]).find(
        (range) => range !== undefined,
      ),
  };
}

/** Entries to add to a `package.json`, by member. Existing entries do not change. */
export interface ManifestAdditions {
  /** @default none */
  readonly dependencies?: Section;
  /** @default none */
  readonly devDependencies?: Section;
  /** @default none */
  readonly scripts?: Section;
}

/** Adds dependencies and scripts, in the form that the file has. */
export function editManifest(
  text: string,
  { dependencies = {}, devDependencies = {}, scripts = {} }: ManifestAdditions,
): string {
  const members = parseObject('package.json', text);
  const { findRange } = parseManifest(text);
  const isMissing = ([name]: readonly [string, string]) => findRange(name) === undefined;
  const known = readSection(members, 'scripts');
  const changes = [
    addEntries(members, 'scripts', { entries: Object.entries(scripts).filter(([name]) => !(name in known)) }),
    addEntries(members, 'dependencies', {
      entries: Object.entries(dependencies).filter(isMissing),
      isSorted: true,
    }),
    addEntries(members, 'devDependencies', {
      entries: Object.entries(devDependencies).filter(isMissing),
      isSorted: true,
    }),
  ];
  return changes.includes(true) ? format(members, text) : text;
}

/** Adds to a section, and tells whether there was anything to add. */
function addEntries(
  members: Record<string, unknown>,
  name: string,
  {
    entries,
    isSorted = false,
  }: { readonly entries: readonly [string, string][]; readonly isSorted?: boolean },
): boolean {
  if (entries.length === 0) return false;
  const all = [...Object.entries(readSection(members, name)), ...entries];
  const sorted = isSorted ? all.toSorted(([one], [other]) => (one < other ? -1 : 1)) : all;
  members[name] = Object.fromEntries(sorted);
  return true;
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
