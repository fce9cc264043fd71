import { lintCatalog, SEVERITIES, type LintFinding, type LintSettings } from '../core/lint/lint-catalog.js';
import { LISTED_KINDS, type ListedCatalog } from '../core/lint/listed-catalog.interface.js';
import type { LintSeverity } from '../core/lint/lint-rule.interface.js';
import { quote, type MatcherOutcome } from './matcher.interface.js';

/** Options for judging a catalog. */
export interface LintExpectation extends LintSettings {
  /** The lowest severity that fails a test. `advice` is a matter of taste and depends on the purpose of a tool. @default 'warning' */
  readonly severity?: LintSeverity;
}

/** The maximum findings in one message. After fixing these, you run the test again. */
const MOST_LISTED = 20;

/** Checks a server's lists with the rules of `nestjs-mcp-cli lint`. */
export function toHaveNoLintFindings(
  received: unknown,
  { severity = 'warning', ...settings }: LintExpectation = {},
): MatcherOutcome {
  if (!isListed(received)) {
    const lists =
      'as "listTools()", "listPrompts()", "listResources()" and "listResourceTemplates()" give it';
    throw new TypeError(`A list was expected, ${lists}, but found ${quote(received)}`);
  }
  const counted = SEVERITIES.slice(0, SEVERITIES.indexOf(severity) + 1);
  const { findings } = lintCatalog(received, settings);
  const failing = findings.filter((finding) => counted.includes(finding.severity));
  const pass = failing.length === 0;
  return {
    pass,
    message: () => (pass ? 'Expected findings of the lint, but found none' : formatFindings(failing)),
  };
}

function isListed(received: unknown): received is ListedCatalog {
  if (typeof received !== 'object' || received === null) return false;
  const lists = LISTED_KINDS.map((kind) => (received as ListedCatalog)[kind]).filter(
    (list) => list !== undefined,
  );
  return lists.length > 0 && lists.every(Array.isArray);
}

function formatFindings(findings: readonly LintFinding[]): string {
  const lines = findings.slice(0, MOST_LISTED).map(formatFinding);
  const others = findings.length - lines.length;
  return [
    'Expected no findings of the lint, but found:',
    ...lines,
    ...(others > 0 ? [`  and ${others} more`] : []),
  ].join('\n');
}

function formatFinding({ rule, severity, subject, path = '', found, fix }: LintFinding): string {
  return `  ${severity} ${rule}: ${subject} ${found}${path === '' ? '' : ` at ${path}`} (${fix})`;
}
