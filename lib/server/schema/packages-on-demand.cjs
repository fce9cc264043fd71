/**
 * Loads packages when the first schema needs them, at once and without waiting: `require()` of a literal name does that in Node, and
 * bundlers follow it. In an ES module they would not.
 *
 * A `require()` of a package that need not be installed stands in a `try` of its own: that is how bundlers know that it may be absent.
 */

/**
 * To an ES module, rspack gives a promise of a package that it was told to leave out. Such a package is absent, and nobody waits for the
 * promise.
 */
const take = (found) => {
  if (typeof found?.then !== 'function') return { found };
  found.then(undefined, () => undefined);
  return {
    problem: Object.assign(new Error('The package is not in the bundle'), { code: 'MODULE_NOT_FOUND' }),
  };
};

exports.loadAjv = () => require('ajv').Ajv;

exports.loadAjv2020 = () => require('ajv/dist/2020.js').Ajv2020;

exports.loadFormats = () => require('ajv-formats').default;

exports.loadValidator = () => {
  try {
    return take(require('class-validator'));
  } catch (problem) {
    return { problem };
  }
};

exports.loadTransformer = () => {
  try {
    return take(require('class-transformer'));
  } catch (problem) {
    return { problem };
  }
};

/** Without the package nobody can have written `@JSONSchema()`. */
exports.loadDecorations = () => {
  try {
    return { found: require('class-validator-jsonschema/build/decorators.js').getMetadataSchema };
  } catch (problem) {
    return { problem };
  }
};

/** Where the builds of `class-transformer` keep what decorators say: Node takes the first of them, some bundlers another. */
exports.STORAGES = [
  () => {
    try {
      return require('class-transformer/cjs/storage.js').defaultMetadataStorage;
    } catch {
      return undefined;
    }
  },
  () => {
    try {
      return require('class-transformer/esm5/storage.js').defaultMetadataStorage;
    } catch {
      return undefined;
    }
  },
  () => {
    try {
      return require('class-transformer/esm2015/storage.js').defaultMetadataStorage;
    } catch {
      return undefined;
    }
  },
];
