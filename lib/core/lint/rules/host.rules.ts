import type { HostProblemKind } from '../../protocol/hosts/host-rules.js';
import type { LintProblem, LintRule } from '../lint-rule.js';
import type { ReadCatalog } from '../read-catalog.js';
import { showPath } from '../show.js';
import { quoteAll } from '../../words/words.js';

/** Hosts prefix a tool's name with the server's name, and APIs accept 64 characters in total. */
const LONGEST_NAME = 48;
const LONGEST_TAKEN = 64;

/** What common hosts refuse, in many cases along with the whole conversation. */
export const HOST_RULES: readonly LintRule[] = [
  { id: 'host-name', severity: 'error', find: (catalog) => findOfKind(catalog, 'name') },
  { id: 'host-root', severity: 'error', find: (catalog) => findOfKind(catalog, 'root') },
  { id: 'host-property', severity: 'error', find: (catalog) => findOfKind(catalog, 'property') },
  { id: 'host-items', severity: 'error', find: (catalog) => findOfKind(catalog, 'items') },
  { id: 'host-keyword', severity: 'warning', find: (catalog) => findOfKind(catalog, 'keyword') },
  {
    id: 'host-output-dialect',
    severity: 'warning',
    find: (catalog) => findOfKind(catalog, 'output-dialect'),
  },
  { id: 'unknown-required', severity: 'error', find: findUnknownRequired },
  { id: 'long-name', severity: 'warning', find: findLongNames },
];

function* findOfKind({ tools }: ReadCatalog, kind: HostProblemKind): Generator<LintProblem> {
  for (const { subject, hostProblems } of tools) {
    for (const { found, path, fix, hosts } of hostProblems.filter((problem) => problem.kind === kind)) {
      yield {
        subject,
        path: showPath([path]),
        found: `is refused by ${hosts.join(', ')}: ${found}`,
        fix,
      };
    }
  }
}

function* findUnknownRequired({ tools }: ReadCatalog): Generator<LintProblem> {
  for (const { subject, objects } of tools) {
    for (const { path, members, required, isOpen } of objects) {
      const unknown = required.filter((name) => !members.has(name));
      if (isOpen || unknown.length === 0) continue;
      yield {
        subject,
        path,
        found: `requires ${showPath([quoteAll(unknown)])}, which no property describes`,
        fix: 'Describe it under "properties", or do not require it: some APIs refuse the tool',
      };
    }
  }
}

function* findLongNames({ tools }: ReadCatalog): Generator<LintProblem> {
  for (const { subject, name } of tools) {
    if (name.length <= LONGEST_NAME || name.length > LONGEST_TAKEN) continue;
    yield {
      subject,
      found: `has a name of ${name.length} characters: hosts prefix it with the server's name, and accept ${LONGEST_TAKEN} in total`,
      fix: `Shorten it to ${LONGEST_NAME}`,
    };
  }
}
