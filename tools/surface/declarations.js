/** What stands between declarations: blank lines inside of them come before something indented. */
const BETWEEN = /\n+(?=\n[^ }\n])/;
const HEAD = /^(?:export )?(?:(?:declare|abstract) )*(\w+) ([\w$]+)/m;
const IMPORT = /^import .*$/gm;
const IMPORTED = /([\w$]+)(?: \})? from /;
const IDENTIFIER = /[A-Za-z_$][\w$]*/g;

/** A constructor in a class, formatted by Prettier. */
const CONSTRUCTOR = /^ {2}(?:protected )?constructor\((?:.*|[^]*?\n {2})\);$/gm;

/** What API Extractor says of every declaration. */
const REMARKS = /^ *\/\/(?: @public)?(?: \(undocumented\))?\n/gm;
const PUBLIC = /^( *\/\/) @public (?=@)/gm;
const UNDOCUMENTED = /^( *\/\/ @.*) \(undocumented\)$/gm;

/**
 * Chooses from a description of API Extractor what users can see: exports, what these refer to, and the imports of both.
 *
 * @param {string} description the text of its report, formatted by Prettier
 */
export function selectDeclarations(description) {
  const parts = description
    .trim()
    .split(BETWEEN)
    .map((part) => part.trim());
  const declarations = parts.filter((part) => !/^import |^\/\/ \(/.test(part)).map(readDeclaration);
  const visible = findVisible(declarations);
  const select = (choose) =>
    declarations.filter((one) => visible.has(one) && choose(one)).map(({ text }) => text);
  return {
    imports: selectImports(description, [...visible]),
    exported: select(({ isExported }) => isExported),
    mentioned: select(({ isExported }) => !isExported),
  };
}

/** Reads a declaration, or a re-export, which has no name that others could mention. */
function readDeclaration(remarked) {
  const [, kind = 'export', name = ''] = HEAD.exec(remarked) ?? [];
  const text = remarked.replace(REMARKS, '').replace(PUBLIC, '$1 ').replace(UNDOCUMENTED, '$1');
  return { name, text, isExported: /^export /m.test(text), mentions: findMentions(kind, name, text) };
}

/** Names what a declaration shows of others. Users construct errors; Nest constructs services, so that nobody sees what these take. */
function findMentions(kind, name, text) {
  const isService = kind === 'class' && !name.endsWith('Error');
  return new Set((isService ? text.replace(CONSTRUCTOR, '') : text).match(IDENTIFIER));
}

/** Follows mentions, beginning at exports. */
function findVisible(declarations) {
  const visible = new Set(declarations.filter(({ isExported }) => isExported));
  // The loop comes to what it adds.
  for (const { mentions } of visible)
    for (const one of declarations) if (mentions.has(one.name)) visible.add(one);
  return visible;
}

/** Writes every import as one of types: whether a module imports more changes nothing for users. */
function selectImports(description, visible) {
  const names = new Set(visible.flatMap(({ text }) => text.match(IDENTIFIER)));
  const lines = description.match(IMPORT) ?? [];
  const used = lines.filter((line) => names.has(IMPORTED.exec(line)?.[1]));
  return [...new Set(used.map((line) => line.replace(/^import (?:type )?/, 'import type ')))];
}
