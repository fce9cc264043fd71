import { ts } from 'ts-morph';

/**
 * Has the declarations of an entry import those that the main entry exports alike, instead of repeating them: a class that both declare
 * would be two types.
 *
 * @param {string} main the rolled declarations of the main entry
 * @param {string} entry those of another one
 * @param {string} specifier where the main entry is, as seen from there
 */
export function shareDeclarations(main, entry, specifier) {
  const [from, own] = [parse(main), parse(entry)];
  const alike = findAlike(from, own);
  const shared = [...alike.keys()].filter((name) => from.exported.has(alike.get(name)));
  const isLeft = (name) => !shared.includes(name);
  const needed = findReachable(own, isLeft);
  const takeOver = (keyword, names, rename) => {
    const list = names.map((name) => formatAlias(from.exported.get(alike.get(name)), rename(name)));
    return list.length === 0 ? [] : [`${keyword} { ${list.join(', ')} } from '${specifier}';\n`];
  };
  const isExported = (name) => own.exported.has(name);
  return [
    ...own.imports.filter(({ names }) => names.some((name) => needed.has(name))).map(({ text }) => text),
    ...takeOver(
      '\nimport',
      shared.filter((name) => needed.has(name)),
      (name) => name,
    ),
    ...takeOver('export', shared.filter(isExported), (name) => own.exported.get(name)),
    ...[...own.declared].filter(([name]) => isLeft(name) && needed.has(name)).map(([, { text }]) => text),
    ...[...own.renamed].filter(([name]) => isLeft(name)).map(([, text]) => text),
    '\nexport { }\n',
  ].join('');
}

/** Reads the imports and declarations of a file, with the comments before them. Declarations of the same name are one. */
function parse(text) {
  const file = ts.createSourceFile('entry.d.ts', text, ts.ScriptTarget.Latest, true);
  const parsed = {
    imports: [],
    origins: new Map(),
    declared: new Map(),
    exported: new Map(),
    renamed: new Map(),
  };
  for (const statement of file.statements) {
    if (ts.isImportDeclaration(statement)) readImport(parsed, statement);
    else if (ts.isExportDeclaration(statement)) readRenames(parsed, statement);
    else declare(parsed, statement);
  }
  return parsed;
}

/** What is exported under another name than it is declared by. */
function readRenames({ exported, renamed }, statement) {
  for (const { name, propertyName } of statement.exportClause.elements) {
    exported.set(propertyName.text, name.text);
    renamed.set(propertyName.text, statement.getFullText());
  }
}

function readImport({ imports, origins }, statement) {
  const module = statement.moduleSpecifier.text;
  const { name, namedBindings } = statement.importClause;
  const bound = [
    ...(name ? [[name.text, 'default']] : []),
    ...(namedBindings && ts.isNamespaceImport(namedBindings) ? [[namedBindings.name.text, '*']] : []),
    ...(namedBindings?.elements ?? []).map((one) => [one.name.text, (one.propertyName ?? one.name).text]),
  ];
  for (const [local, remote] of bound) origins.set(local, `${module}#${remote}`);
  imports.push({ text: statement.getFullText(), names: bound.map(([local]) => local) });
}

function declare({ declared, exported, origins }, statement) {
  const [{ name }] = statement.declarationList?.declarations ?? [statement];
  const key = name.text;
  const before = declared.get(key) ?? { text: '', code: '', used: [] };
  const used = listReferences(statement);
  if (statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) exported.set(key, key);
  declared.set(key, {
    text: before.text + statement.getFullText(),
    code: before.code + formatCode(statement, [name, ...used], origins),
    used: [...before.used, ...used.map(({ text }) => text)],
  });
}

/** Lists the identifiers that stand for a declaration or an import, rather than for a member or a parameter. */
function listReferences(statement) {
  const found = [];
  const parameters = new Set();
  const visit = (node) => {
    if (ts.isTypeParameterDeclaration(node)) parameters.add(node.name.text);
    const name = node.typeName ?? node.exprName ?? (REFERRING.has(node.kind) ? node.expression : undefined);
    if (name) found.push(findFirst(name));
    ts.forEachChild(node, visit);
  };
  visit(statement);
  return found.filter(({ text }) => !parameters.has(text));
}

/** Finds the first of names with dots between them. */
function findFirst(name) {
  return ts.isIdentifier(name) ? name : findFirst(name.left ?? name.expression);
}

/** Names are written as all files have them: what is called the same as something else gets a number in some. */
function formatCode(statement, names, origins) {
  const start = statement.getStart();
  const code = names
    .toSorted((left, right) => right.pos - left.pos)
    .reduce((text, name) => {
      const [from, to] = [name.getStart() - start, name.getEnd() - start];
      const general = origins.get(name.text) ?? name.text.replace(/_\d+$/, '');
      return `${text.slice(0, from)}${general}${text.slice(to)}`;
    }, statement.getText());
  return code.replace(/^export /, '');
}

/** What refers to something by an expression: clauses with "extends" and names of members in brackets. */
const REFERRING = new Set([ts.SyntaxKind.ExpressionWithTypeArguments, ts.SyntaxKind.ComputedPropertyName]);

/**
 * Finds what both declare in the same words, about the same things.
 *
 * @returns {Map<string, string>} the names of the first by those of the second
 */
function findAlike(from, own) {
  const alike = new Map();
  for (const [name, { code }] of own.declared) {
    const candidates = [...from.declared].filter(([, other]) => other.code === code);
    if (candidates.length > 0) alike.set(name, candidates[0][0]);
  }
  const isSame = (name, other) =>
    own.declared.has(name) ? alike.get(name) === other : !from.declared.has(other);
  let size;
  do {
    ({ size } = alike);
    for (const [name, other] of alike) {
      const others = from.declared.get(other).used;
      if (!own.declared.get(name).used.every((used, index) => isSame(used, others[index])))
        alike.delete(name);
    }
  } while (alike.size < size);
  return alike;
}

/** Finds what those of the exported declarations use that are left, themselves included. */
function findReachable({ declared, exported }, isLeft) {
  const reachable = new Set([...exported.keys()].filter(isLeft));
  for (const name of reachable) {
    if (isLeft(name)) for (const used of declared.get(name)?.used ?? []) reachable.add(used);
  }
  return reachable;
}

function formatAlias(name, alias) {
  return name === alias ? name : `${name} as ${alias}`;
}
