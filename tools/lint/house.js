import { dirname, relative, resolve, sep } from 'node:path';
import { LAYERS, findLayer, findLayerFault, findPackageFault } from './layers.js';

/** Path of a file below `lib` with forward slashes, or nothing for a file elsewhere. */
function findPathInLib(file, root) {
  const path = relative(resolve(root, 'lib'), file).split(sep).join('/');
  return path.startsWith('../') ? undefined : path;
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
  const path = findPathInLib(resolve(dirname(context.filename), name), context.cwd);
  if (path === undefined) return `"lib" imports nothing from outside itself, but "${name}" leads there`;
  const other = findLayer(path);
  return other === undefined
    ? `"${name}" leads to a folder that the tables of layers do not have`
    : findLayerFault(layer, other, isTypeOnly(node));
}

/** Keeps every import of `lib` inside the tables of layers. */
const layers = {
  create(context) {
    const path = findPathInLib(context.filename, context.cwd);
    if (path === undefined) return {};
    const layer = findLayer(path);
    if (layer === undefined) {
      const message = `"lib/${dirname(path)}" is not in the tables of layers: add it to "tools/lint/layers.js" and "docs/architecture.md", or move the file`;
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
    const path = findPathInLib(context.filename, context.cwd);
    if (path === undefined || !/(^|\/)index\.ts$/.test(path) || LAYERS[dirname(path)]?.entry) return {};
    const message = `"lib/${path}" is an inner barrel: import from the file that holds the thing`;
    return { Program: (node) => context.report({ node, message }) };
  },
};

export default { meta: { name: 'house' }, rules: { layers, 'no-inner-barrel': noInnerBarrel } };
