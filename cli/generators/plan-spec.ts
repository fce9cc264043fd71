import { JEST_COMPILERS } from '../application/edit-jest.js';
import { editManifest, type Manifest } from '../application/edit-manifest.js';
import { explainJest, planJest, type TestedApplication } from '../application/plan-jest.js';
import type { Plan, Project } from '../application/project.interface.js';
import type { TestRunner } from './format-spec.js';

/** The official client, which the test kit needs, and its versions. */
export const CLIENT = { '@modelcontextprotocol/client': '^2.4.0' } as const;

/** Finds what runs the tests of an application. */
export function findRunner(facts: Manifest | undefined): TestRunner {
  const has = (name: string) => facts?.findRange(name) !== undefined;
  const isVitest = has('vitest') && (!has('jest') || /\bvitest\b/.test(facts?.scripts['test'] ?? ''));
  if (isVitest) return 'vitest';
  return has('@jest/globals') && !has('@types/jest') ? '@jest/globals' : 'globals';
}

/** Finds what tests of handlers need of `package.json` and the settings of Jest. */
export function planSpecNeeds(project: Project, application: TestedApplication): Plan {
  const { manifest } = application;
  const jest = planJest(project, application);
  const devDependencies = { ...CLIENT, ...(jest.needsCompilers && JEST_COMPILERS) };
  const text = editManifest(jest.manifest, { devDependencies });
  const own = text === manifest ? [] : [{ path: 'package.json', text, isCreated: false }];
  return { changes: [...jest.changes, ...own], notes: jest.byHand.map(explainJest) };
}
