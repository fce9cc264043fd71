import { SEVERITIES, type LintFinding, type LintReport } from '../../lib/core/lint/lint-catalogue.js';
import { findPage } from '../find-page.js';
import { makeLine } from '../visible-text.js';

/** The most findings of one rule, and the most sizes of tools, that are printed. */
const MOST_TOLD = 10;

const SEVERITY_WIDTH = 'warning'.length;
const NUMBER_WIDTH = 7;

/** Writes what was found for people: the worst first, a paragraph for each rule. */
export function formatLint(report: LintReport): string {
  const rules = new Map<string, LintFinding[]>();
  for (const finding of report.findings) {
    const sameRule = rules.get(finding.rule);
    if (sameRule === undefined) rules.set(finding.rule, [finding]);
    else sameRule.push(finding);
  }
  return [...[...rules.values()].map(formatRule), formatSizes(report), formatSummary(report)]
    .filter((part) => part !== '')
    .join('\n\n');
}

function formatRule(findings: readonly LintFinding[]): string {
  const [first] = findings;
  if (first === undefined) return '';
  const told = findings.slice(0, MOST_TOLD).map((finding) => `  ${makeLine(formatFinding(finding))}`);
  if (findings.length > MOST_TOLD) told.push(`  and ${findings.length - MOST_TOLD} more`);
  return [
    `${first.severity.padEnd(SEVERITY_WIDTH)}  ${first.rule}`,
    ...told,
    `  -> ${makeLine(first.remedy)}`,
  ].join('\n');
}

function formatFinding({ subject, place = '', found }: LintFinding): string {
  const who = subject === 'server' ? 'the server' : subject;
  return `${who} ${found}${place === '' ? '' : ` at ${place}`}`;
}

function formatSizes({ sizes, tokens }: LintReport): string {
  if (sizes.length === 0) return '';
  const rows = sizes.slice(0, MOST_TOLD).map(({ name, tokens: size }) => formatSize(size, makeLine(name)));
  const others = sizes.slice(MOST_TOLD);
  const sum = others.reduce((total, { tokens: size = 0 }) => total + size, 0);
  if (others.length > 0) rows.push(formatSize(sum, `${others.length} more`));
  return [
    `${'tokens'.padStart(NUMBER_WIDTH)}  tool`,
    ...rows,
    formatSize(tokens, 'in all, by an estimate'),
  ].join('\n');
}

function formatSize(tokens: number | undefined, text: string): string {
  return `${String(tokens ?? '?').padStart(NUMBER_WIDTH)}  ${text}`;
}

function formatSummary({ findings, isWhole }: LintReport): string {
  const counts = SEVERITIES.map((severity) => {
    const number = findings.filter((finding) => finding.severity === severity).length;
    return `${severity === 'advice' ? severity : `${severity}s`}: ${number}`;
  });
  const summary = `${counts.join(', ')}; ${findPage('lint.md')} has a section for each rule`;
  return isWhole ? summary : `${summary}\nThere is more in the lists than was judged`;
}
