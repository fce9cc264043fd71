/**
 * Stryker's runner for jest, but that only the specs are loaded which reach the mutant, not every spec that imports its file,
 * one after the other until one fails.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { MutantRunStatus } from '@stryker-mutator/api/test-runner';
import * as jestRunner from '@stryker-mutator/jest-runner';

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
      let result;
      for (const spec of await findSpecs(options)) {
        testFiles = spec && [spec];
        result = await mutantRun.call(runner, options);
        if (result.status !== MutantRunStatus.Survived) break;
      }
      return result;
    },
    run(settings) {
      return run.call(runner, { testFiles, ...settings });
    },
  });
}
createRunner.inject = jest.factory.inject;

/** Gives the specs that reach a mutant, that of its file first; nothing stands for whatever imports the file. */
async function findSpecs({ testFilter, sandboxFileName }) {
  const tests = JSON.parse(await readFile(SPECS_BY_TEST, 'utf8'));
  const own = tests.filter(([, spec]) => basename(spec).startsWith(basename(sandboxFileName, '.ts')));
  // What runs while its file is loaded is in no test's account.
  if (testFilter === undefined) return new Set([...own.map(([, spec]) => spec), undefined]);
  const covering = new Set(testFilter);
  return new Set([...own, ...tests].filter(([test]) => covering.has(test)).map(([, spec]) => spec));
}

export const strykerPlugins = [{ ...jest, name: 'covering-specs', factory: createRunner }];
export const { strykerValidationSchema } = jestRunner;
