import type { Finding, FindingStatus } from './finding.js';

const STATUS_WIDTH = 'warning'.length;
const ID_WIDTH = 'server-registration'.length;

/** Writes findings for people: a line for each, and what to do below. */
export function formatReport(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ id, status, found, remedy }) => [
    `${status.padEnd(STATUS_WIDTH)}  ${id.padEnd(ID_WIDTH)}  ${found}`,
    ...(remedy === '' ? [] : [`${' '.repeat(STATUS_WIDTH + ID_WIDTH + 4)}-> ${remedy}`]),
  ]);
  const counts = [count(findings, 'fault'), count(findings, 'warning')].join(', ');
  return [...lines, '', `${findings.length} checks: ${counts}`].join('\n');
}

function count(findings: readonly Finding[], status: FindingStatus): string {
  const { length } = findings.filter((finding) => finding.status === status);
  return `${length} ${status}${length === 1 ? '' : 's'}`;
}
