/**
 * @typedef {object} Layer
 * @property {string[]} imports folders of `lib` it may import from
 * @property {string[]} [types] folders of `lib` it may import types from, and nothing else
 * @property {boolean} nest whether it knows Nest
 * @property {boolean} rxjs whether it knows RxJS
 * @property {boolean} [entry] whether its `index.ts` is a public entry of the package
 * @property {boolean} [flat] whether it holds files alone: a folder inside needs a row of its own
 */

const inside = (room, folders) => folders.map((folder) => `${room}/${folder}`);

const CORE = inside('core', [
  'checks',
  'classes',
  'clients',
  'development',
  'doctor',
  'explorer',
  'folders',
  'lint',
  'log',
  'logger',
  'network',
  'oauth',
  'package',
  'protocol',
  'sealing',
  'skills',
  'telemetry',
  'async',
  'words',
]);
const GROUND = [...CORE, 'server/settings'];
const WORDS = [
  ...GROUND,
  ...inside('server', [
    'memory',
    'context',
    'decorators',
    'schema',
    'telemetry',
    'log',
    'cluster',
    'shutdown',
  ]),
];
const STATE = [...WORDS, 'server/sessions', 'server/catalog', 'server/audit', 'server/state'];
const MESSAGES = [...STATE, 'server/notifications'];
const REQUESTING = [...MESSAGES, 'server/input-requests', 'server/limits'];
const METHODS = [...REQUESTING, 'server/methods'];
const DISPATCH = [...METHODS, ...inside('server', ['dispatch', 'auth', 'auth/identity-providers'])];
const WEBHOOKS = 'server/extensions/events/webhooks';
const EXTENSIONS = [
  ...DISPATCH,
  ...inside('server/extensions', ['apps', 'events', 'skills', 'tasks']),
  WEBHOOKS,
];
const TRANSPORTS = inside('server/transport', ['http', 'duplex', 'sse', 'stdio', 'memory']);
const EDGES = [...EXTENSIONS, ...TRANSPORTS];
const SERVER = [...EDGES, 'server/health', 'server/production', 'server/development'];

/** The public surface, as the rooms see it that are built on it. */
const SURFACE = '.';

/**
 * What each folder of `lib` may import, and the rooms `cli` and `explorer` beside it. `docs/architecture.md` has the same tables with their reasons.
 *
 * @type {Record<string, Layer>}
 */
export const LAYERS = {
  ...Object.fromEntries(CORE.map((folder) => [folder, { imports: [], nest: false, rxjs: false }])),
  'core/checks': { imports: ['core/words'], nest: false, rxjs: false },
  'core/development': { imports: ['core/sealing'], nest: false, rxjs: false },
  'core/doctor': {
    imports: inside('core', ['lint', 'oauth', 'protocol', 'skills', 'words']),
    nest: false,
    rxjs: false,
  },
  'core/lint': { imports: inside('core', ['checks', 'log', 'protocol', 'words']), nest: false, rxjs: false },
  'core/oauth': { imports: inside('core', ['network', 'words']), nest: false, rxjs: false },
  'core/protocol': { imports: ['core/words'], nest: false, rxjs: false },
  'core/skills': { imports: ['core/protocol'], nest: false, rxjs: false },
  'core/log': { imports: ['core/async'], nest: false, rxjs: false },
  'core/logger': { imports: inside('core', ['log', 'async']), nest: true, rxjs: false },
  'core/telemetry': {
    imports: inside('core', ['checks', 'log', 'package', 'protocol', 'async']),
    nest: false,
    rxjs: false,
  },

  'server/settings': { imports: CORE, nest: false, rxjs: false },

  'server/memory': { imports: GROUND, nest: true, rxjs: false },
  'server/context': { imports: [...GROUND, 'server/memory', 'server/schema'], nest: false, rxjs: false },
  'server/decorators': { imports: GROUND, nest: true, rxjs: false },
  'server/schema': { imports: GROUND, nest: false, rxjs: false },
  'server/telemetry': { imports: [...GROUND, 'server/context'], nest: false, rxjs: false },
  'server/log': {
    imports: [...GROUND, 'server/context', 'server/telemetry'],
    nest: true,
    rxjs: false,
  },
  'server/cluster': { imports: [...GROUND, 'server/context', 'server/memory'], nest: true, rxjs: false },
  'server/shutdown': { imports: GROUND, nest: true, rxjs: false },

  'server/sessions': { imports: WORDS, nest: true, rxjs: true },
  'server/catalog': { imports: WORDS, nest: true, rxjs: true },
  'server/audit': { imports: WORDS, nest: true, rxjs: true },
  'server/state': { imports: WORDS, nest: true, rxjs: false },

  'server/notifications': { imports: STATE, nest: true, rxjs: true },
  'server/input-requests': { imports: STATE, nest: true, rxjs: false },
  'server/limits': { imports: STATE, nest: true, rxjs: false },
  'server/methods': { imports: REQUESTING, nest: true, rxjs: false },
  'server/dispatch': {
    imports: [...METHODS, 'server/auth', 'server/auth/identity-providers'],
    nest: true,
    rxjs: false,
  },
  'server/auth': { imports: [...STATE, 'server/auth/identity-providers'], nest: true, rxjs: false },
  'server/auth/identity-providers': { imports: [...STATE, 'server/auth'], nest: true, rxjs: false },

  'server/extensions/apps': { imports: DISPATCH, nest: true, rxjs: false },
  'server/extensions/tasks': { imports: DISPATCH, nest: true, rxjs: true },
  'server/extensions/events': { imports: [...DISPATCH, WEBHOOKS], nest: true, rxjs: true },
  'server/extensions/skills': { imports: DISPATCH, nest: true, rxjs: false },
  [WEBHOOKS]: { imports: WORDS, nest: false, rxjs: true },

  ...Object.fromEntries(TRANSPORTS.map((folder) => [folder, { imports: EDGES, nest: true, rxjs: true }])),

  'server/health': { imports: EDGES, nest: true, rxjs: false },
  'server/production': { imports: EDGES, nest: true, rxjs: false },
  'server/development': { imports: EDGES, nest: true, rxjs: true },

  'server/composition': { imports: SERVER, nest: true, rxjs: true },
  server: { imports: [...SERVER, 'server/composition'], nest: true, rxjs: true, flat: true },

  'client/authorization': {
    imports: inside('core', ['checks', 'network', 'oauth', 'protocol', 'async', 'words']),
    nest: false,
    rxjs: false,
    entry: true,
  },
  'client/tasks': { imports: ['core/protocol'], nest: false, rxjs: false },
  'client/module': {
    imports: [
      ...inside('core', [
        'checks',
        'classes',
        'log',
        'logger',
        'network',
        'oauth',
        'package',
        'protocol',
        'skills',
        'telemetry',
        'async',
        'words',
      ]),
      ...inside('client', ['authorization', 'tasks']),
    ],
    nest: true,
    rxjs: true,
    entry: true,
  },

  [SURFACE]: {
    imports: [...SERVER, 'server/composition', 'server'],
    nest: true,
    rxjs: true,
    entry: true,
    flat: true,
  },
  redis: {
    imports: [
      ...inside('core', ['checks', 'log', 'logger', 'oauth', 'package', 'protocol', 'sealing', 'async']),
      ...inside('server', ['memory', 'settings']),
    ],
    nest: true,
    rxjs: false,
    entry: true,
  },

  'authorization-server': {
    imports: [
      ...inside('core', ['async', 'checks', 'log', 'logger', 'network', 'oauth', 'sealing', 'words']),
      'server/settings',
    ],
    nest: true,
    rxjs: false,
    entry: true,
  },

  gateway: {
    imports: [
      SURFACE,
      ...inside('core', ['checks', 'log', 'logger', 'protocol', 'async']),
      ...inside('server', ['context', 'settings']),
      'client/module',
    ],
    nest: true,
    rxjs: true,
    entry: true,
  },
  controllers: {
    imports: [
      ...inside('core', ['checks', 'log', 'logger', 'protocol', 'words']),
      ...inside('server', ['settings', 'context', 'decorators', 'schema', 'catalog', 'auth']),
    ],
    nest: true,
    rxjs: false,
    entry: true,
  },

  forwarder: { imports: ['core/package'], nest: false, rxjs: false },
  cli: {
    imports: [
      SURFACE,
      'gateway',
      ...inside('core', [
        'checks',
        'clients',
        'development',
        'doctor',
        'lint',
        'network',
        'oauth',
        'package',
        'protocol',
        'skills',
        'async',
        'words',
      ]),
      ...inside('client', ['authorization', 'tasks']),
    ],
    nest: true,
    rxjs: false,
  },
  explorer: {
    imports: [
      ...inside('core', [
        'clients',
        'doctor',
        'explorer',
        'lint',
        'network',
        'oauth',
        'protocol',
        'skills',
        'async',
      ]),
      ...inside('client', ['authorization', 'tasks']),
    ],
    nest: false,
    rxjs: false,
  },
  'cli/schematics': { imports: ['cli', 'core/words', 'forwarder'], nest: false, rxjs: false },
  testing: {
    imports: [
      SURFACE,
      ...inside('core', ['checks', 'lint', 'oauth', 'package', 'protocol', 'async', 'words']),
    ],
    nest: true,
    rxjs: true,
    entry: true,
  },
};

/** Packages that one place of `lib` knows: a pattern of the import, and the folders where it may stand. */
export const CONFINED = [
  { packages: /^ajv(-formats)?(\/|$)/, folders: ['server/schema'] },
  { packages: /^class-(validator|transformer|validator-jsonschema)(\/|$)/, folders: ['server/schema'] },
  {
    packages: /^jose(\/|$)/,
    folders: ['core/oauth', 'server/auth', 'client/authorization', 'authorization-server', 'testing'],
  },
  {
    packages: /^oauth4webapi(\/|$)/,
    folders: ['core/oauth', 'client/authorization', 'authorization-server'],
  },
  { packages: /^oidc-provider$/, folders: ['authorization-server'] },
  { packages: /^yaml$/, folders: ['core/skills'] },
  { packages: /^jsonc-parser$/, folders: ['cli'] },
  { packages: /^ts-morph$/, folders: ['cli'] },
  { packages: /^preact(\/|$)/, folders: ['explorer'] },
  { packages: /^@opentelemetry\//, folders: ['core/telemetry', 'server/telemetry'] },
  { packages: /^@nestjs\/throttler$/, folders: ['server/limits'] },
  { packages: /^minisearch$/, folders: ['server/catalog'] },
  { packages: /^(ioredis|redis|@redis\/.+)$/, folders: ['redis'] },
  { packages: /^@modelcontextprotocol\/ext-apps(\/|$)/, folders: ['explorer', 'testing'] },
  { packages: /^playwright-core(\/|$)/, folders: ['testing'] },
  {
    packages: /^(node:)?https?2?$/,
    folders: [
      ...TRANSPORTS,
      WEBHOOKS,
      'client/authorization',
      'authorization-server',
      'controllers',
      'cli',
      'testing',
    ],
  },
];

const NEST = /^(@nestjs\/|reflect-metadata$)/;
const RXJS = /^rxjs(\/|$)/;

/**
 * Names the layer a file of `lib` belongs to.
 *
 * @param {string} path the file, relative to `lib` or with the name of the room beside it, with forward slashes
 * @returns {string | undefined} a key of {@link LAYERS}, or nothing where the tables have no such folder
 */
export function findLayer(path) {
  const folders = path.split('/').slice(0, -1);
  const own = folders.join('/') || SURFACE;
  if (own in LAYERS) return own;
  for (let length = folders.length - 1; length > 0; length--) {
    const folder = folders.slice(0, length).join('/');
    if (folder in LAYERS) return LAYERS[folder].flat ? undefined : folder;
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
    return `"${layer}" does not know Nest: move what needs "${name}" to a higher layer`;
  if (!rxjs && RXJS.test(name))
    return `"${layer}" does not know RxJS: move what needs "${name}" to a higher layer`;
  const confined = CONFINED.find(({ packages }) => packages.test(name));
  if (confined === undefined || confined.folders.includes(layer)) return undefined;
  return `"${name}" is imported in ${confined.folders.map((folder) => `"${folder}"`).join(', ')} alone`;
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
  if (!types.includes(other)) return `"${layer}" stands below or beside "${other}" and may not import it`;
  return typeOnly ? undefined : `"${layer}" may import types of "${other}" only: write "import type"`;
}
