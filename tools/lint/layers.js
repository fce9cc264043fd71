/**
 * @typedef {object} Layer
 * @property {string[]} imports folders of `lib` it may import from
 * @property {string[]} [types] folders of `lib` it may import types from, and nothing else
 * @property {boolean} nest whether it knows Nest
 * @property {boolean} rxjs whether it knows RxJS
 * @property {boolean} [entry] whether its `index.ts` is a public entry of the package
 */

const GROUND = ['checks', 'protocol', 'oauth', 'network', 'waiting', 'package', 'settings'];
const WORDS = [...GROUND, 'context', 'decorators', 'schema', 'sealing', 'telemetry'];
const STATE = [...WORDS, 'sessions', 'catalogue'];
const MESSAGES = [...STATE, 'notifications'];
const ASKING = [...MESSAGES, 'asking'];
const METHODS = [...ASKING, 'methods'];
const DISPATCH = [...METHODS, 'dispatch', 'auth', 'auth/identity-providers'];
const WEBHOOKS = 'extensions/events/webhooks';
const EXTENSIONS = [...DISPATCH, 'extensions/tasks', 'extensions/events', WEBHOOKS];
const TRANSPORTS = [
  'transport/http',
  'transport/pipe',
  'transport/sse',
  'transport/stdio',
  'transport/memory',
];

/** The public surface, as the folders see it that are built on it. */
const SURFACE = '.';

/**
 * What each folder of `lib` may import. `docs/architecture.md` has the same table with its reasons.
 *
 * @type {Record<string, Layer>}
 */
export const LAYERS = {
  protocol: { imports: [], nest: false, rxjs: false },
  oauth: { imports: [], nest: false, rxjs: false },
  network: { imports: [], nest: false, rxjs: false },
  waiting: { imports: [], nest: false, rxjs: false },
  package: { imports: [], nest: false, rxjs: false },
  checks: { imports: [], nest: false, rxjs: false },
  settings: { imports: ['checks', 'protocol', 'oauth'], nest: false, rxjs: false },

  context: { imports: GROUND, nest: false, rxjs: false },
  decorators: { imports: GROUND, nest: true, rxjs: false },
  schema: { imports: GROUND, nest: false, rxjs: false },
  sealing: { imports: GROUND, nest: false, rxjs: false },
  telemetry: { imports: GROUND, nest: false, rxjs: false },

  sessions: { imports: WORDS, nest: true, rxjs: true },
  catalogue: { imports: WORDS, nest: true, rxjs: true },

  notifications: { imports: STATE, nest: true, rxjs: true },
  asking: { imports: STATE, nest: true, rxjs: false },
  methods: { imports: ASKING, nest: true, rxjs: false },
  dispatch: { imports: METHODS, nest: true, rxjs: false },
  auth: { imports: [...STATE, 'auth/identity-providers'], nest: true, rxjs: false },
  'auth/identity-providers': { imports: [...STATE, 'auth'], nest: true, rxjs: false },

  'extensions/tasks': { imports: DISPATCH, nest: true, rxjs: true },
  'extensions/events': { imports: [...DISPATCH, WEBHOOKS], nest: true, rxjs: true },
  [WEBHOOKS]: { imports: WORDS, nest: false, rxjs: true },

  'transport/http': { imports: [...EXTENSIONS, ...TRANSPORTS], nest: true, rxjs: true },
  'transport/pipe': { imports: [...EXTENSIONS, ...TRANSPORTS], nest: true, rxjs: true },
  'transport/sse': { imports: [...EXTENSIONS, ...TRANSPORTS], nest: true, rxjs: true },
  'transport/stdio': { imports: [...EXTENSIONS, ...TRANSPORTS], nest: true, rxjs: true },
  'transport/memory': { imports: [...EXTENSIONS, ...TRANSPORTS], nest: true, rxjs: true },

  [SURFACE]: { imports: [...EXTENSIONS, ...TRANSPORTS], nest: true, rxjs: true, entry: true },

  client: { imports: ['network', 'oauth', 'protocol', 'waiting'], nest: false, rxjs: false, entry: true },
  'client-tasks': { imports: ['protocol'], nest: false, rxjs: false },
  'client-module': {
    imports: ['checks', 'client', 'client-tasks', 'protocol', 'waiting'],
    nest: true,
    rxjs: true,
    entry: true,
  },
  cli: {
    imports: [SURFACE, 'client', 'client-tasks', 'oauth', 'package', 'protocol', 'waiting'],
    nest: true,
    rxjs: false,
  },
  schematics: { imports: ['cli'], nest: false, rxjs: false },
  redis: { imports: [], types: ['sessions'], nest: true, rxjs: true, entry: true },
  testing: { imports: [SURFACE, 'oauth', 'protocol'], nest: true, rxjs: true, entry: true },
};

/** Packages that one place of `lib` knows: a pattern of the import, and the folders where it may stand. */
export const CONFINED = [
  { packages: /^ajv(-formats)?(\/|$)/, folders: ['schema'] },
  { packages: /^class-(validator|transformer|validator-jsonschema)(\/|$)/, folders: ['schema'] },
  { packages: /^jose(\/|$)/, folders: ['oauth', 'auth', 'client', 'testing'] },
  { packages: /^oauth4webapi(\/|$)/, folders: ['oauth', 'client'] },
  { packages: /^@opentelemetry\//, folders: ['telemetry'] },
  { packages: /^ioredis(\/|$)/, folders: ['redis'] },
  { packages: /^(node:)?https?2?$/, folders: [...TRANSPORTS, WEBHOOKS, 'client', 'cli', 'testing'] },
];

const NEST = /^(@nestjs\/|reflect-metadata$)/;
const RXJS = /^rxjs(\/|$)/;

/**
 * Names the layer a file of `lib` belongs to.
 *
 * @param {string} path the file, relative to `lib`, with forward slashes
 * @returns {string | undefined} a key of {@link LAYERS}, or nothing where the table has no such folder
 */
export function findLayer(path) {
  const folders = path.split('/').slice(0, -1);
  if (folders.length === 0) return SURFACE;
  for (let length = folders.length; length > 0; length--) {
    const folder = folders.slice(0, length).join('/');
    if (folder in LAYERS) return folder;
  }
  return undefined;
}

/**
 * Says why a layer may not import a package.
 *
 * @param {string} layer a key of {@link LAYERS}
 * @param {string} name the package as imported
 * @returns {string | undefined} the reason, or nothing where the import is allowed
 */
export function findPackageFault(layer, name) {
  const { nest, rxjs } = LAYERS[layer];
  if (!nest && NEST.test(name))
    return `"lib/${layer}" does not know Nest: move what needs "${name}" to a higher layer`;
  if (!rxjs && RXJS.test(name))
    return `"lib/${layer}" does not know RxJS: move what needs "${name}" to a higher layer`;
  const confined = CONFINED.find(({ packages }) => packages.test(name));
  if (confined === undefined || confined.folders.includes(layer)) return undefined;
  return `"${name}" is imported in ${confined.folders.map((folder) => `"lib/${folder}"`).join(', ')} alone`;
}

/**
 * Says why a layer may not import from another.
 *
 * @param {string} layer the importing layer
 * @param {string} other the imported layer
 * @param {boolean} typeOnly whether only types are imported
 * @returns {string | undefined} the reason, or nothing where the import is allowed
 */
export function findLayerFault(layer, other, typeOnly) {
  if (layer === other) return undefined;
  const { imports, types = [] } = LAYERS[layer];
  if (imports.includes(other)) return undefined;
  if (!types.includes(other))
    return `"lib/${layer}" stands below or beside "lib/${other}" and may not import it`;
  return typeOnly ? undefined : `"lib/${layer}" may import types of "lib/${other}" only: write "import type"`;
}
