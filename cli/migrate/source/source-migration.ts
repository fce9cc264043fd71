import type { Node, SourceFile } from 'ts-morph';
import { findPage } from '../../find-page.js';
import type { Release } from '../replacements/replacement.interface.js';
import { DECISIONS, MARK, type DecisionKey } from '../replacements/decisions.js';
import { findReplacement, OURS } from '../replacements/exported-names.js';
import { findImportedNames, type ImportedName } from './imported-names.js';
import type { TsMorph } from './load-ts-morph.js';
import type { Origins } from './origins.js';
import { findReferences, type Reference } from './references.js';
import { TextEdits } from './text-edits.js';

/** Finds the names that a file declares and that imports must not use. */
function findTakenNames(file: SourceFile, importedNames: readonly ImportedName[]): ReadonlySet<string> {
  const renamed = new Set<Node>(
    importedNames
      .filter(({ isDirect, theirs, local }) => isDirect && theirs === local)
      .map(({ declaration }) => declaration),
  );
  const taken = new Set<string>();
  file.forEachDescendant((node) => {
    const name = DECLARING.has(node.getKindName()) && !renamed.has(node) ? getName(node) : undefined;
    if (name !== undefined) taken.add(name);
  });
  return taken;
}

const DECLARING = new Set([
  'ImportSpecifier',
  'ImportClause',
  'NamespaceImport',
  'ImportEqualsDeclaration',
  'VariableDeclaration',
  'BindingElement',
  'Parameter',
  'FunctionDeclaration',
  'ClassDeclaration',
  'InterfaceDeclaration',
  'TypeAliasDeclaration',
  'EnumDeclaration',
]);

interface Declaring {
  getAliasNode?(): Node | undefined;
  getNameNode?(): Node | undefined;
  getDefaultImport?(): Node | undefined;
}

function getName(node: Node): string | undefined {
  const { getAliasNode, getNameNode, getDefaultImport } = node as Node & Declaring;
  const name = getAliasNode?.call(node) ?? getNameNode?.call(node) ?? getDefaultImport?.call(node);
  return name?.getText();
}

/** An import that a file needs after its rules have run. */
export interface RequiredImport {
  readonly name: string;
  readonly from: string;
  readonly local: string;
  readonly isType: boolean;
}

/** The facts that are common to all files of the project. */
export interface MigrationFacts {
  readonly morph: TsMorph;
  readonly origins: Origins;
  readonly release: Release;
}

/** A file during its migration, with its imports from the other package and its changes. */
export class SourceMigration {
  readonly edits: TextEdits;
  readonly importedNames: readonly ImportedName[];
  readonly references: readonly Reference[];
  readonly #wanted = new Map<string, RequiredImport>();
  readonly #byNode: ReadonlyMap<Node, Reference>;
  readonly #decided = new Set<string>();
  /** The line end that most lines of the file have, also used for additions. */
  readonly lineEnd: string;
  #taken: ReadonlySet<string> | undefined;

  constructor(
    readonly path: string,
    readonly file: SourceFile,
    readonly text: string,
    readonly facts: MigrationFacts,
  ) {
    const { morph, origins } = facts;
    this.edits = new TextEdits(text);
    this.lineEnd = findLineEnd(text);
    this.importedNames = findImportedNames(file, origins, morph);
    this.references = findReferences(file, this.importedNames, morph);
    this.#byNode = new Map(this.references.map((reference) => [reference.node, reference]));
  }

  /** Returns the name from the other package that an expression or a type refers to. Returns `undefined` for anything else. */
  nameOf(node: Node | undefined): string | undefined {
    return node && this.#byNode.get(node)?.name;
  }

  /** The imports that the file needs afterwards. */
  get wanted(): readonly RequiredImport[] {
    return [...this.#wanted.values()];
  }

  /** Imports a name into the file, and returns its local name. */
  use(name: string, from = OURS, isType = false): string {
    const key = `${from} ${name}`;
    const known = this.#wanted.get(key)?.local ?? this.#findImported(name, from);
    if (known !== undefined) return known;
    this.#taken ??= findTakenNames(this.file, this.importedNames);
    const local = this.#taken.has(name) ? `${name}FromMcp` : name;
    this.#wanted.set(key, { name, from, local, isType });
    return local;
  }

  #findImported(name: string, from: string): string | undefined {
    for (const declaration of this.file.getImportDeclarations()) {
      if (declaration.getModuleSpecifierValue() !== from || declaration.isTypeOnly()) continue;
      const found = declaration.getNamedImports().find((one) => one.getName() === name && !one.isTypeOnly());
      if (found !== undefined) return (found.getAliasNode() ?? found.getNameNode()).getText();
    }
    return from === OURS ? this.#findRequired(name) : undefined;
  }

  /** Finds the names from `const { … } = require()` that have a replacement. */
  #findRequired(name: string): string | undefined {
    const { Node: is } = this.facts.morph;
    const found = this.importedNames.find(({ theirs, declaration }) => {
      const replacement = findReplacement(theirs);
      const isSame =
        replacement.kind === 'moved' && replacement.from === undefined && replacement.name === name;
      return isSame && is.isBindingElement(declaration);
    });
    return found?.local;
  }

  /** Marks a decision with a comment above the line of a node. */
  decide(node: Node, key: DecisionKey): void {
    const position = this.#findLine(node);
    const id = `${position} ${key}`;
    const comment = this.formatDecision(key);
    if (this.#decided.has(id) || this.#hasAbove(position, comment)) return;
    this.#decided.add(id);
    const indent = /^[ \t]*/.exec(this.text.slice(position))?.[0] ?? '';
    this.edits.insert(position, `${indent}${comment}${this.lineEnd}`);
  }

  /** The number of decisions that are left in the file. */
  get decisions(): number {
    return this.#decided.size;
  }

  /** Counts a decision whose comment a rule writes itself. */
  noteDecision(position: number, key: DecisionKey): void {
    this.#decided.add(`${position} ${key}`);
  }

  /** Comments out an object property, with the required decision. */
  commentOut(member: Node, key: DecisionKey): void {
    const start = member.getStart();
    this.noteDecision(start, key);
    const end = /^\s*,/.exec(this.text.slice(member.getEnd()))?.[0].length ?? 0;
    const line = this.text.lastIndexOf('\n', start - 1) + 1;
    const indent = /^[ \t]*/.exec(this.text.slice(line))?.[0] ?? '';
    const isFirst = this.text.slice(line, start).trim() === '';
    const lineBreak = `${this.lineEnd}${indent}`;
    const begin = isFirst ? '' : lineBreak;
    const lines = member.getText().split(/\r?\n/);
    const commented = lines.map((one) => `// ${one.trimStart()}`).join(lineBreak);
    const rest = this.text.slice(member.getEnd() + end);
    const isLast = /^[ \t]*(?:\r?\n|\/\/)/.test(rest);
    const text = `${begin}${this.formatDecision(key)}${lineBreak}${commented},${isLast ? '' : lineBreak}`;
    this.edits.replace({ start, end: member.getEnd() + end }, text);
  }

  /** Formats a decision as a comment. */
  formatDecision(key: DecisionKey): string {
    const { text, anchor } = DECISIONS[key];
    const page = findPage('migration/from-mcp-nest.md');
    return `// ${MARK}: ${text}. See ${page}#${anchor}`;
  }

  /** Checks whether the comments above a line include the same comment from an earlier run. */
  #hasAbove(position: number, comment: string): boolean {
    const lines = this.text.slice(0, position).split(/\r?\n/).slice(0, -1);
    const first = lines.findLastIndex((line) => !line.trimStart().startsWith('//'));
    return lines.slice(first + 1).some((line) => line.trim() === comment);
  }

  /** Finds the start of the line that a node, or the nearest node around it, begins. */
  #findLine(node: Node): number {
    for (let one: Node | undefined = node; one !== undefined; one = one.getParent()) {
      const line = this.text.lastIndexOf('\n', one.getStart() - 1) + 1;
      if (this.text.slice(line, one.getStart()).trim() === '') return line;
    }
    return 0;
  }
}

function findLineEnd(text: string): string {
  const all = text.match(/\n/g)?.length ?? 0;
  const withReturns = text.match(/\r\n/g)?.length ?? 0;
  return withReturns * 2 > all ? '\r\n' : '\n';
}
