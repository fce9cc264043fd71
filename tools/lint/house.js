import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { LAYERS, findLayer, findLayerFault, findPackageFault } from './layers.js';
import { createNameCheck } from './vocabulary.js';

const findOddWords = createNameCheck(
  readFileSync(join(import.meta.dirname, '../../docs/glossary.md'), 'utf8'),
);

/** Rooms beside `lib`, in which the tables of layers hold too. */
const BESIDE = /^(?:cli|explorer)\//;

/** Path of a file as the tables have it: below `lib`, or in a room beside it, with forward slashes; nothing for a file elsewhere. */
function findPath(file, root) {
  const path = relative(root, file).split(sep).join('/');
  if (path.startsWith('lib/')) return path.slice('lib/'.length);
  return BESIDE.test(path) ? path : undefined;
}

/** Whether an import or a re-export brings in types alone. */
function isTypeOnly(node) {
  if (node.importKind === 'type' || node.exportKind === 'type') return true;
  const specifiers = node.specifiers ?? [];
  return (
    specifiers.length > 0 && specifiers.every((one) => one.importKind === 'type' || one.exportKind === 'type')
  );
}

function findFault(layer, node, context) {
  const name = node.source.value;
  if (!name.startsWith('.')) return findPackageFault(layer, name);
  const path = findPath(resolve(dirname(context.filename), name), context.cwd);
  if (path === undefined)
    return `"lib", "cli" and "explorer" import nothing from elsewhere, but "${name}" leads there`;
  const other = findLayer(path);
  return other === undefined
    ? `"${name}" leads to a folder that the tables of layers do not have`
    : findLayerFault(layer, other, isTypeOnly(node));
}

/** Keeps every import of `lib` inside the tables of layers. */
const layers = {
  create(context) {
    const path = findPath(context.filename, context.cwd);
    if (path === undefined) return {};
    const layer = findLayer(path);
    if (layer === undefined) {
      const message = `The folder "${dirname(path)}" is not in the tables of layers: add it to "tools/lint/layers.js" and "docs/architecture.md", or move the file`;
      return { Program: (node) => context.report({ node, message }) };
    }
    const check = (node) => {
      if (node.source?.type !== 'Literal' || typeof node.source.value !== 'string') return;
      const message = findFault(layer, node, context);
      if (message !== undefined) context.report({ node: node.source, message });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      TSImportType: check,
    };
  },
};

/** Leaves `index.ts` to the public entries of the package. */
const noInnerBarrel = {
  create(context) {
    const path = findPath(context.filename, context.cwd);
    if (path === undefined || !/(^|\/)index\.ts$/.test(path) || LAYERS[dirname(path)]?.entry) return {};
    const message = `"${path}" is an inner barrel: import from the file that holds the thing`;
    return { Program: (node) => context.report({ node, message }) };
  },
};

/** Makes names of files, folders, classes and types of the words of the field. */
const names = {
  create(context) {
    const path = findPath(context.filename, context.cwd);
    if (path === undefined) return {};
    const check = (node, name) => {
      for (const message of findOddWords(name)) context.report({ node, message });
    };
    const checkDeclared = ({ id }) => {
      if (id) check(id, id.name);
    };
    return {
      Program: (node) => check(node, path.replace(/\.\w+$/, '')),
      ClassDeclaration: checkDeclared,
      TSEnumDeclaration: checkDeclared,
      TSInterfaceDeclaration: checkDeclared,
      TSTypeAliasDeclaration: checkDeclared,
    };
  },
};

export default { meta: { name: 'house' }, rules: { layers, names, 'no-inner-barrel': noInnerBarrel } };
