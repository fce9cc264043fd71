/** Stryker's runner for jest, but that only the specs are loaded which reach the mutant, not every spec that imports its file. */
import { readFile, writeFile } from 'node:fs/promises';
import * as jestRunner from '@stryker-mutator/jest-runner';
import FirstFailureEnvironment from './first-failure-environment.cjs';

const [jest] = jestRunner.strykerPlugins;

/** In the copy, so that a process that takes the place of another finds it. */
const SPECS_BY_TEST = 'specs-by-test.json';

function createRunner(injector) {
  const runner = jest.factory(injector);
  const { dryRun, mutantRun, run } = runner;
  let testFiles;

  return Object.assign(runner, {
    async dryRun(options) {
      const result = await dryRun.call(runner, options);
      const specs = (result.tests ?? []).map(({ id, fileName }) => [id, fileName]);
      await writeFile(SPECS_BY_TEST, JSON.stringify(specs));
      return result;
    },
    async mutantRun(options) {
      FirstFailureEnvironment.hasFailed = false;
      const covering = options.testFilter && new Set(options.testFilter);
      const specs = JSON.parse(await readFile(SPECS_BY_TEST, 'utf8'));
      testFiles = covering && [
        ...new Set(specs.flatMap(([test, spec]) => (covering.has(test) ? [spec] : []))),
      ];
      return mutantRun.call(runner, options);
    },
    run(settings) {
      return run.call(runner, { testFiles, ...settings });
    },
  });
}
createRunner.inject = jest.factory.inject;

export const strykerPlugins = [{ ...jest, name: 'covering-specs', factory: createRunner }];
export const { strykerValidationSchema } = jestRunner;
