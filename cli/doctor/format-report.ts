import type { Finding, FindingStatus } from '../../lib/core/doctor/finding.js';

const STATUS_WIDTH = 'warning'.length;
const ID_WIDTH = 'server-registration'.length;

/** Writes findings for people: a line for each, and what to do below. */
export function formatReport(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ id, status, found, remedy }) => [
    `${status.padEnd(STATUS_WIDTH)}  ${id.padEnd(ID_WIDTH)}  ${found}`,
    ...(remedy === '' ? [] : [`${' '.repeat(STATUS_WIDTH + ID_WIDTH + 4)}-> ${remedy}`]),
  ]);
  const numberOf = (wanted: FindingStatus) => findings.filter(({ status }) => status === wanted).length;
  const left = numberOf('skipped');
  const counts = [
    count(numberOf('fault'), 'fault'),
    count(numberOf('warning'), 'warning'),
    ...(left > 0 ? [`${left} skipped`] : []),
  ].join(', ');
  return [...lines, '', `${count(findings.length, 'check')}: ${counts}`].join('\n');
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
