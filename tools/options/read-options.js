import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ts } from 'ts-morph';

const ROOT = join(import.meta.dirname, '../..');
const DECLARATION = /^export (?:interface|type) (\w+)/gm;

/** An interface with such a name has options: a list has its members. */
const GROUP = /Options$|^(?:CacheHints|CardRepository|DeclaredCapabilities|Implementation|SkillDirectory)$/;

const TAG = /(?:^|\s)@(\w+)(?:\s+|$)/;

/** @typedef {{ path: string, type: string, isRequired: boolean, text: string, fallback: string | undefined, page: string | undefined }} Option */

/** Reads the options of interfaces: their docstrings, their types and their defaults, as the sources have them. */
export class OptionReader {
  #files = new Map();
  #places = findDeclarations();

  /**
   * Lists the options of an interface, each before its own members.
   *
   * @param {string} name the interface, or an alias of several
   * @returns {Option[]}
   */
  read(name) {
    const file = this.#places.get(name);
    if (file === undefined) throw new Error(`There is no interface "${name}" in lib`);
    return this.#readDeclaration(name, file).flatMap((member) => this.#list(member, ''));
  }

  #list({ node, file, isRequired }, parent) {
    const path = `${parent}${node.name.text}`;
    const groups = this.#findGroups(node.type, file);
    const option = {
      path,
      type: this.#formatType(node, file),
      isRequired,
      ...readDocstring(node),
    };
    const members = groups.flatMap((group) => this.#readDeclaration(group.name, group.file));
    return [option, ...members.flatMap((member) => this.#list(member, `${path}.`))];
  }

  /** Finds the interfaces of options that a value may be, alone or in an array. */
  #findGroups(type, file) {
    if (type === undefined) return [];
    if (ts.isUnionTypeNode(type)) {
      const found = type.types.flatMap((one) => this.#findGroups(one, file));
      return found.filter(({ name }, index) => found.findIndex((one) => one.name === name) === index);
    }
    if (ts.isParenthesizedTypeNode(type) || ts.isTypeOperatorNode(type))
      return this.#findGroups(type.type, file);
    if (ts.isArrayTypeNode(type)) return this.#findGroups(type.elementType, file);
    if (!ts.isTypeReferenceNode(type) || !GROUP.test(type.typeName.getText())) return [];
    const found = this.#resolve(type.typeName.getText(), file);
    return found === undefined ? [] : [found];
  }

  #formatType(node, file) {
    if (ts.isMethodSignature(node)) return 'function';
    return this.#writeType(node.type, file)
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/\breadonly /g, '');
  }

  #writeType(type, file) {
    if (ts.isUnionTypeNode(type)) {
      const written = type.types
        .map((one) => this.#writeType(one, file))
        .filter((one) => one !== 'undefined');
      return [...new Set(written)].join(' | ');
    }
    if (ts.isParenthesizedTypeNode(type)) {
      const written = this.#writeType(type.type, file);
      return written.includes(' | ') ? `(${written})` : written;
    }
    if (ts.isTypeOperatorNode(type)) return this.#writeType(type.type, file);
    if (ts.isArrayTypeNode(type)) return `${this.#writeType(type.elementType, file)}[]`;
    if (ts.isFunctionTypeNode(type)) return 'function';
    if (ts.isTypeLiteralNode(type)) return 'object';
    if (ts.isIndexedAccessTypeNode(type)) {
      const name = type.objectType.getText();
      const declared = this.#resolve(name, file);
      if (declared === undefined) return type.getText();
      const members = this.#readDeclaration(name, declared.file);
      const member = members.find(({ node }) => `'${node.name.text}'` === type.indexType.getText());
      return this.#writeType(member.node.type, member.file);
    }
    return this.#findGroups(type, file).length > 0 ? 'object' : type.getText();
  }

  /** Lists the members of an interface or an alias, with those that it takes from others. */
  #readDeclaration(name, file) {
    const declaration = this.#parse(file).statements.find(
      (one) => (ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one)) && one.name.text === name,
    );
    if (ts.isTypeAliasDeclaration(declaration)) return this.#readType(declaration.type, file);
    const own = declaration.members
      .filter((member) => member.name !== undefined)
      .map((node) => createMember(node, file));
    const inherited = (declaration.heritageClauses ?? [])
      .flatMap(({ types }) => types)
      .flatMap((type) => this.#readReference(type.expression.getText(), type.typeArguments, file));
    const names = new Set(own.map(({ node }) => node.name.text));
    return [...own, ...inherited.filter(({ node }) => !names.has(node.name.text))];
  }

  #readType(type, file) {
    if (ts.isIntersectionTypeNode(type) || ts.isUnionTypeNode(type)) {
      return mergeMembers(type.types.flatMap((one) => this.#readType(one, file)));
    }
    if (ts.isTypeLiteralNode(type)) return type.members.map((node) => createMember(node, file));
    if (ts.isParenthesizedTypeNode(type)) return this.#readType(type.type, file);
    return this.#readReference(type.typeName.getText(), type.typeArguments, file);
  }

  #readReference(name, [type, names] = [], file) {
    if (name === 'Omit' || name === 'Pick') {
      const listed = (ts.isUnionTypeNode(names) ? names.types : [names]).map((one) =>
        one.getText().slice(1, -1),
      );
      return this.#readType(type, file).filter(
        ({ node }) => listed.includes(node.name.text) === (name === 'Pick'),
      );
    }
    const found = this.#resolve(name, file);
    return found === undefined ? [] : this.#readDeclaration(name, found.file);
  }

  /** Finds the file of this package that declares a name of another one; nothing for what is of another package. */
  #resolve(name, file) {
    const source = this.#parse(file);
    const isHere = source.statements.some((one) => one.name?.text === name);
    if (isHere) return { name, file };
    const from = source.statements.find(
      (one) =>
        ts.isImportDeclaration(one) &&
        one.importClause?.namedBindings?.elements?.some((element) => element.name.text === name),
    );
    const target = from?.moduleSpecifier.text;
    return target?.startsWith('.')
      ? { name, file: join(dirname(file), target.replace(/\.js$/, '.ts')) }
      : undefined;
  }

  #parse(file) {
    const known = this.#files.get(file);
    if (known !== undefined) return known;
    const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
    this.#files.set(file, source);
    return source;
  }
}

function createMember(node, file) {
  return { node, file, isRequired: node.questionToken === undefined };
}

/** A member of several types is the first that has it. It is required if one of them requires it. */
function mergeMembers(members) {
  const merged = new Map();
  for (const member of members) {
    const known = merged.get(member.node.name.text) ?? member;
    merged.set(member.node.name.text, { ...known, isRequired: known.isRequired || member.isRequired });
  }
  return [...merged.values()];
}

/** Finds where `lib` declares each exported interface or alias. */
function findDeclarations() {
  const folder = join(ROOT, 'lib');
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.ts'));
  return new Map(
    files.flatMap((name) => {
      const file = join(folder, name);
      return [...readFileSync(file, 'utf8').matchAll(DECLARATION)].map(([, declared]) => [declared, file]);
    }),
  );
}

/** Splits a docstring into its text, its default, and the page that it names. */
function readDocstring(node) {
  const source = node.getFullText();
  const ranges = ts.getLeadingCommentRanges(source, 0) ?? [];
  const comment = ranges
    .slice(-1)
    .map(({ pos, end }) => source.slice(pos, end))
    .join('')
    .replaceAll(/^\/\*\*|\s*\*\/$|^ *\* ?/gm, '');
  const [text, ...tags] = comment.split(/(?=(?:^|\s)@(?:default|see|example|throws)\b)/);
  const named = tags.map((tag) => {
    const [whole, name] = TAG.exec(tag);
    return [name, joinLines(tag.slice(tag.indexOf(whole) + whole.length))];
  });
  return {
    text: joinLines(text).replaceAll(/\{@link (\S+?)\}/g, '`$1`'),
    fallback: named.find(([name]) => name === 'default')?.[1],
    page: named.find(([name, value]) => name === 'see' && value.startsWith('docs/'))?.[1],
  };
}

function joinLines(text) {
  return text.trim().replaceAll(/\s+/g, ' ');
}
