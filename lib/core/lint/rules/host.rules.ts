import type { HostFaultKind } from '../../protocol/hosts/host-rules.js';
import type { LintFault, LintRule } from '../lint-rule.interface.js';
import type { ReadCatalog } from '../read-catalog.js';
import { showPath } from '../show.js';
import { quoteAll } from '../../words/quote-all.js';

/** Hosts put the name of the server before that of a tool, and APIs take 64 characters of both. */
const LONGEST_NAME = 48;
const LONGEST_TAKEN = 64;

/** What common hosts refuse, and many of them the whole conversation with it. */
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

function* findOfKind({ tools }: ReadCatalog, kind: HostFaultKind): Generator<LintFault> {
  for (const { subject, hostFaults } of tools) {
    for (const { found, place, remedy: fix, hosts } of hostFaults.filter((fault) => fault.kind === kind)) {
      yield {
        subject,
        place: showPath([place]),
        found: `is refused by ${hosts.join(', ')}: ${found}`,
        fix,
      };
    }
  }
}

function* findUnknownRequired({ tools }: ReadCatalog): Generator<LintFault> {
  for (const { subject, objects } of tools) {
    for (const { place, members, required, isOpen } of objects) {
      const unknown = required.filter((name) => !members.has(name));
      if (isOpen || unknown.length === 0) continue;
      yield {
        subject,
        place,
        found: `requires ${showPath([quoteAll(unknown)])}, which no property describes`,
        fix: 'Describe it under "properties", or do not require it: some APIs refuse the tool',
      };
    }
  }
}

function* findLongNames({ tools }: ReadCatalog): Generator<LintFault> {
  for (const { subject, name } of tools) {
    if (name.length <= LONGEST_NAME || name.length > LONGEST_TAKEN) continue;
    yield {
      subject,
      found: `has a name of ${name.length} characters: hosts put that of the server before it, and take ${LONGEST_TAKEN} in all`,
      fix: `Shorten it to ${LONGEST_NAME}`,
    };
  }
}
