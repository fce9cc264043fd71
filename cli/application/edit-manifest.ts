import { applyEdits, modify } from 'jsonc-parser';
import { parseObject } from './parse-object.js';

/** The parts of a `package.json` that are used. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  /** Whether files ending in `.js` are ES modules. */
  readonly isModule: boolean;
  /** Its scripts, by name. */
  readonly scripts: Readonly<Record<string, string>>;
  /** Finds the version range of a dependency of any kind. Returns `undefined` if there is none. */
  findRange(name: string): string | undefined;
}

type Section = Record<string, string>;

const SECTIONS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const;

/**
 * Reads a `package.json`.
 *
 * @throws {ApplicationError} if the string is not a JSON object
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

/** Entries to add to a `package.json`, by section. Existing entries do not change. */
export interface ManifestAdditions {
  /** @default none */
  readonly dependencies?: Section;
  /** @default none */
  readonly devDependencies?: Section;
  /** @default none */
  readonly scripts?: Section;
}

/** Adds dependencies and scripts, and leaves all other formatting unchanged. */
export function editManifest(
  text: string,
  { dependencies = {}, devDependencies = {}, scripts = {} }: ManifestAdditions,
): string {
  const members = parseObject('package.json', text);
  const { findRange } = parseManifest(text);
  const known = readSection(members, 'scripts');
  const additions = [
    ...listAdditions('scripts', scripts).filter(({ name }) => !(name in known)),
    ...[
      ...listAdditions('dependencies', dependencies),
      ...listAdditions('devDependencies', devDependencies),
    ].filter(({ name }) => findRange(name) === undefined),
  ];
  return additions.reduce(addEntry, text);
}

interface Addition {
  readonly section: 'scripts' | 'dependencies' | 'devDependencies';
  readonly name: string;
  readonly value: string;
}

function listAdditions(section: Addition['section'], entries: Section): readonly Addition[] {
  return Object.entries(entries).map(([name, value]) => ({ section, name, value }));
}

/** Inserts packages in alphabetical order, as package managers do, without reordering a section. */
function addEntry(text: string, { section, name, value }: Addition): string {
  const [indent = '  '] = /(?<=^)[ \t]+(?=")/m.exec(text) ?? [];
  const formattingOptions = {
    insertSpaces: !indent.includes('\t'),
    tabSize: indent.includes('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  const getInsertionIndex = (names: string[]) => {
    const next = section === 'scripts' ? -1 : names.findIndex((other) => other > name);
    return next < 0 ? names.length : next;
  };
  return applyEdits(text, modify(text, [section, name], value, { formattingOptions, getInsertionIndex }));
}

function readSection(members: Readonly<Record<string, unknown>>, name: string): Section {
  const section = members[name];
  return typeof section === 'object' && section !== null ? { ...(section as Section) } : {};
}
