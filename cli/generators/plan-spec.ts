import { JEST_COMPILERS } from '../application/edit-jest.js';
import { editManifest, type Manifest } from '../application/edit-manifest.js';
import { explainJest, planJest, type TestedApplication } from '../application/plan-jest.js';
import type { Plan, Project } from '../application/project-folder.js';
import type { TestRunner } from './format-spec.js';

/** The official client, which the testing module requires, with its version range. */
export const CLIENT = { '@modelcontextprotocol/client': '^2.4.0' } as const;

/** Finds an application's test runner. */
export function findRunner(facts: Manifest | undefined): TestRunner {
  const has = (name: string) => facts?.findRange(name) !== undefined;
  const isVitest = has('vitest') && (!has('jest') || /\bvitest\b/.test(facts?.scripts['test'] ?? ''));
  if (isVitest) return 'vitest';
  return has('@jest/globals') && !has('@types/jest') ? '@jest/globals' : 'globals';
}

/** Plans the changes to `package.json` and the Jest settings that handler tests require. */
export function planSpecNeeds(project: Project, application: TestedApplication): Plan {
  const { manifest } = application;
  const jest = planJest(project, application);
  const devDependencies = { ...CLIENT, ...(jest.needsCompilers && JEST_COMPILERS) };
  const text = editManifest(jest.manifest, { devDependencies });
  const own = text === manifest ? [] : [{ path: 'package.json', text, isCreated: false }];
  return { changes: [...jest.changes, ...own], notes: jest.byHand.map(explainJest) };
}
