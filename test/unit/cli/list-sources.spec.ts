import { expect, it } from '@jest/globals';
import { listSources } from '../../../cli/generators/list-sources.js';
import type { ProjectTree } from '../../../cli/generators/project-tree.interface.js';

const FILES = [
  'latest.ts',
  'contest.ts',
  'spec.ts',
  'a.spec.ts',
  'a.e2e-spec.ts',
  'a.test.ts',
  'a.d.ts',
  'a.js',
];
const PROJECT = {
  list: (folder: string) => ({ files: folder === 'src' ? FILES : [], folders: [] }),
  read: () => 'McpModule',
} as unknown as ProjectTree;

it('listSources() leaves out tests and types, and takes a file whose name ends like one of them (WAY-01)', () => {
  const paths = listSources(PROJECT, 'src', 'McpModule').map(({ path }) => path);
  expect(paths).toEqual(['src/latest.ts', 'src/contest.ts', 'src/spec.ts']);
});
