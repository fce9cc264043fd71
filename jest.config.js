import { availableParallelism } from 'node:os';

/** Turns what `tsc` accepts, decorators and their metadata included, into ES modules. */
const transform = {
  '^.+\\.ts$': [
    '@swc/jest',
    {
      swcrc: false,
      jsc: {
        target: 'es2022',
        parser: { syntax: 'typescript', decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
        keepClassNames: true,
      },
      module: { type: 'es6' },
      sourceMaps: true,
    },
  ],
};

const nestPackages = `<rootDir>/test/nest-${process.env.NEST}/node_modules`;

/**
 * `NEST=11` puts that Nest in the place of the root's, with the packages that stand on it. What both need, rxjs and reflect-metadata,
 * stays the root's.
 */
const nest = process.env.NEST && {
  '^@nestjs/(.*)$': `${nestPackages}/@nestjs/$1`,
  '^(nestjs-cls|nestjs-i18n|nestjs-zod)$': `${nestPackages}/$1`,
  '^@sentry/nestjs$': `${nestPackages}/@sentry/nestjs/build/esm/index.js`,
  '^@sentry/nestjs/setup$': `${nestPackages}/@sentry/nestjs/build/esm/setup.js`,
};

/** What knows little of Nest is the same on every release of it: clients, tokens, the wire, what a server bears, the inside of extensions. */
const withoutNest = process.env.NEST
  ? [
      '/test/cluster/',
      '/test/e2e/(?:card|cli|client|core|docs|explorer|gateway|identity-providers|input-requests|memory|official-clients|sessions|state|tracing|versions)/',
      '/test/e2e/audit/(?!operations|subscribers)',
      '/test/e2e/auth/(?!.*(?:enhancers|guard|handlers|controllers|custom|servers|surroundings|report))',
      '/test/e2e/authorization-server/(?:attacks/|refresh\\.)',
      '/test/e2e/catalog/slow-decisions\\.',
      '/test/e2e/client-module/(?:broken-answers|limits|listening|progress|reconnection|tasks)\\.',
      '/test/e2e/extensions/(?:apps|events|skills)/(?!identities)',
      '/test/e2e/extensions/(?:added-time-limits\\.|tasks/(?!identities|lifetimes))',
      '/test/e2e/http/(?:long-messages|request-targets|session-bounds|slow-readers)\\.',
      '/test/e2e/notifications/resource-updates\\.',
      '/test/e2e/sse/(?:bounds|stream-access)\\.',
      '/test/e2e/stateless/memory\\.',
      '/test/e2e/telemetry/(?!conventions|injected-clients)',
    ]
  : [];

/** Microservices and GraphQL are installed beside the root's Nest alone. */
const besideRoot = process.env.NEST
  ? ['/test/e2e/module/microservice\\.', '/test/e2e/pipeline/graphql/']
  : [];

/** Packages that have no release for Nest 12 yet are there beside Nest 11 alone. */
const ofNest11 = process.env.NEST === '11' ? [] : ['\\.nest-11\\.spec\\.ts$'];

/** Applications that mostly wait, for what they let run out: many of them would make `npm test` long. */
const WAITING = [
  'e2e/auth/issuer-outage',
  'e2e/auth/kept-connections',
  'e2e/auth/streams-end',
  'e2e/authorization-server/refresh',
  'e2e/client-module/broken-answers',
  'e2e/client-module/limits',
  'e2e/client-module/progress',
  'e2e/client-module/reconnection',
  'e2e/client/token-life',
  'cluster/memory/late-records',
  'cluster/memory/late-releases',
  'cluster/memory/lost-processes',
  'cluster/memory/told-together',
  'e2e/extensions/added-time-limits',
  'e2e/extensions/events/scopes',
  'e2e/extensions/skills/broken',
  'e2e/extensions/tasks/faulty-stores',
  'e2e/extensions/tasks/silent-stores',
  'e2e/http/session-bounds',
  'e2e/http/slow-readers',
  'e2e/module/draining',
  'e2e/module/health',
  'e2e/official-clients/lost-connections',
];

/** On the older Nest they run beside the others, as that run is one command. */
const waitElsewhere = process.env.NEST ? [] : WAITING.map((spec) => `/test/${spec}\\.spec\\.ts$`);

const shared = {
  // Suites of a worker share packages and lib, which are most of what a suite has to load: see "How suites run" in docs/architecture.md.
  runtime: '<rootDir>/test/runtime/shared-modules.runtime.js',
  testEnvironment: '<rootDir>/test/runtime/shared-process.environment.js',
  setupFiles: ['<rootDir>/test/support/no-outgoing-network.js'],
  extensionsToTreatAsEsm: ['.ts'],
  modulePathIgnorePatterns: [
    '<rootDir>/dist/',
    '<rootDir>/cli/dist/',
    '<rootDir>/\\.build/',
    '<rootDir>/test/conformance/suite/node_modules/',
    '<rootDir>/test/conformance/inspector/node_modules/',
    '<rootDir>/test/nest-11/node_modules/',
    '<rootDir>/test/applications/',
    '<rootDir>/test/migrations/',
    '<rootDir>/test/clients/node_modules/',
    '<rootDir>/test/install/node-24/node_modules/',
    '<rootDir>/test/fuzz/jazzer/node_modules/',
    '<rootDir>/tools/site/node_modules/',
  ],
  moduleNameMapper: {
    ...nest,
    '^nestjs-mcp$': '<rootDir>/lib/index.ts',
    '^nestjs-mcp/client$': '<rootDir>/lib/client/authorization/index.ts',
    '^nestjs-mcp/client-module$': '<rootDir>/lib/client/module/index.ts',
    '^nestjs-mcp/gateway$': '<rootDir>/lib/gateway/index.ts',
    '^nestjs-mcp/authorization-server$': '<rootDir>/lib/authorization-server/index.ts',
    '^nestjs-mcp/controllers$': '<rootDir>/lib/controllers/index.ts',
    '^nestjs-mcp/redis$': '<rootDir>/lib/redis/index.ts',
    '^nestjs-mcp/testing$': '<rootDir>/lib/testing/index.ts',
    '^vitest$': '<rootDir>/test/e2e/docs/vitest.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  transform,
};

const ATTACK = '<rootDir>/test/cluster/processes/attack/';

const quiet = ['<rootDir>/test/support/redis/quiet-log.ts'];

const projects = {
  /** What `npm test` runs: it needs nothing beyond `npm ci`. */
  all: [
    { ...shared, displayName: 'unit', testMatch: ['<rootDir>/test/unit/**/*.spec.ts'] },
    {
      ...shared,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test/e2e/**/*.spec.ts', '<rootDir>/test/cluster/memory/**/*.spec.ts'],
      testPathIgnorePatterns: [
        '\\.program\\.spec\\.ts$',
        ...withoutNest,
        ...besideRoot,
        ...ofNest11,
        ...waitElsewhere,
      ],
    },
  ],
  /** What is slow on purpose: compiled programs take a second each to start; storms, floods and stalls have to last. */
  slow: [
    {
      ...shared,
      displayName: 'programs',
      testMatch: ['<rootDir>/test/e2e/**/*.program.spec.ts'],
      globalSetup: '<rootDir>/test/support/programs/build-programs.js',
    },
    {
      ...shared,
      displayName: 'waits',
      testMatch: WAITING.map((spec) => `<rootDir>/test/${spec}.spec.ts`),
    },
    {
      ...shared,
      displayName: 'faults',
      testMatch: ['<rootDir>/test/faults/**/*.spec.ts'],
      globalSetup: '<rootDir>/test/support/programs/build-programs.js',
    },
  ],
  /** What needs a browser on the machine. */
  browser: [
    {
      ...shared,
      displayName: 'browser',
      testMatch: ['<rootDir>/test/browser/**/*.browser.spec.ts'],
      globalSetup: '<rootDir>/test/browser/require-chromium.js',
    },
  ],
  /** What needs a browser and the site, which is built. */
  site: [
    {
      ...shared,
      displayName: 'site',
      testMatch: ['<rootDir>/test/site/**/*.site.spec.ts'],
      globalSetup: '<rootDir>/test/site/build-site.js',
    },
  ],
  /** What needs the official inspector, which is installed when it is missing. */
  inspector: [
    {
      ...shared,
      displayName: 'inspector',
      testMatch: ['<rootDir>/test/inspector/**/*.inspector.spec.ts'],
      globalSetup: '<rootDir>/test/inspector/install-inspector.js',
    },
  ],
  /** What needs a Redis on the machine: its backend of a cluster, and several processes as one server. */
  redis: [
    {
      ...shared,
      displayName: 'redis',
      setupFilesAfterEnv: quiet,
      testMatch: ['redis', 'processes'].map((tier) => `<rootDir>/test/cluster/${tier}/**/*.spec.ts`),
      testPathIgnorePatterns: ['/node_modules/', ATTACK],
      globalSetup: '<rootDir>/test/cluster/build-cluster.js',
    },
  ],
  /** What writes over each key of Redis for as long as the round takes. */
  attack: [
    {
      ...shared,
      displayName: 'attack',
      setupFilesAfterEnv: quiet,
      testMatch: [`${ATTACK}*.spec.ts`],
      globalSetup: '<rootDir>/test/cluster/build-cluster.js',
    },
  ],
  /** What people bring: clients, proxies and servers, which are installed when they are missing. */
  clients: [
    {
      ...shared,
      displayName: 'clients',
      testMatch: ['<rootDir>/test/clients/**/*.clients.spec.ts'],
      globalSetup: '<rootDir>/test/clients/install-clients.js',
    },
  ],
};

export default {
  // Each wait has a time-out of its own and says what it waited for. This one is longer, so that it never ends a test first.
  testTimeout: process.env.TESTS === undefined ? 30_000 : 120_000,
  // Suites wait for sockets, timers and processes as well: a worker more for every two cores has the cores busy.
  maxWorkers: Math.ceil(1.5 * availableParallelism()),
  // Modules of a suite that is over are not all let go, and a process that has run hundreds of them does little else than collect.
  workerIdleMemoryLimit: '1GB',
  projects: projects[process.env.TESTS ?? 'all'],
};
