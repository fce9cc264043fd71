import type { Finding, FindingStatus } from '../../core/doctor/finding.js';

const STATUS_WIDTH = 'warning'.length;
const ID_WIDTH = 'server-registration'.length;

/** Writes findings for people: a line for each, and what to do below. */
export function formatReport(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ id, status, found, remedy }) => [
    `${status.padEnd(STATUS_WIDTH)}  ${id.padEnd(ID_WIDTH)}  ${found}`,
    ...(remedy === '' ? [] : [`${' '.repeat(STATUS_WIDTH + ID_WIDTH + 4)}-> ${remedy}`]),
  ]);
  const numberOf = (wanted: FindingStatus) => findings.filter(({ status }) => status === wanted).length;
  const counts = `${count(numberOf('fault'), 'fault')}, ${count(numberOf('warning'), 'warning')}`;
  const unexamined = numberOf('skipped') === 0 ? '' : `, ${numberOf('skipped')} skipped`;
  return [...lines, '', `${count(findings.length, 'check')}: ${counts}${unexamined}`].join('\n');
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
