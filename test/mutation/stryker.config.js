import { fileURLToPath } from 'node:url';
import jest from '../../jest.config.js';
import { JUDGES } from './judges.js';

const folder = process.env.FOLDER;
const results = `.build/mutation/${folder}`;

// A mutant has to be loaded again for each run, which jest's own runtime does for each suite.
const { runtime: _shared, ...unit } = jest.projects.find(({ displayName }) => displayName === 'unit');

/** One folder of lib, and as the judges of it its unit specs, with those that `judges.js` names. */
export default {
  mutate: [`lib/${folder}/**/*.ts`],
  // Specs which read the tree are not among those of a folder, so that the copy needs no more than what is compiled.
  ignorePatterns: [
    '**',
    '!lib/**/*.{ts,cjs}',
    '!cli/**/*.{ts,json}',
    '!explorer/**/*.{ts,tsx}',
    '!test/unit/**/*.ts',
    '!test/e2e/**',
    '!test/cluster/**',
    '!test/programs/**/*.ts',
    '!test/conformance/find-free-port.ts',
    '!sample/**/*.ts',
    '!docs/**/*.md',
    '!schematics/**',
    '!test/support/**',
    '!package.json',
    '!jest.config.js',
  ],
  tempDirName: '.build/mutation/copies',
  // Nothing compares types here: swc leaves them out.
  disableTypeChecks: false,

  testRunner: 'covering-specs',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  plugins: [import.meta.resolve('./covering-specs.js')],
  coverageAnalysis: 'perTest',
  jest: {
    projectType: 'custom',
    configFile: 'jest.config.js',
    enableFindRelatedTests: true,
    config: {
      ...unit,
      projects: [],
      testEnvironment: fileURLToPath(import.meta.resolve('./first-failure-environment.cjs')),
      // What a mutant keeps waiting is dead; the slowest spec waits twice for a cool-down of a second.
      testTimeout: 5000,
      roots: [
        '<rootDir>/lib',
        '<rootDir>/test/unit',
        '<rootDir>/test/e2e',
        '<rootDir>/test/cluster',
        '<rootDir>/test/support',
      ],
      testMatch: [`unit/${folder}/**/*.spec.ts`, ...(JUDGES[folder] ?? [])].map(
        (specs) => `<rootDir>/test/${specs}`,
      ),
    },
  },
  concurrency: 1,
  timeoutMS: 4000,

  incremental: true,
  incrementalFile: `${results}/incremental.json`,
  reporters: ['progress-append-only', 'clear-text', 'html', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  htmlReporter: { fileName: `${results}/report.html` },
  jsonReporter: { fileName: `${results}/report.json` },
  thresholds: { high: 95, low: 85, break: 85 },
};
