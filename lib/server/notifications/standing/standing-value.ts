import { formatPosition, parsePosition } from '../../relay/position.js';
import type { ClusterPosition } from '../../settings/cluster/cluster.interface.js';

/** The value for a standing stream in the record of a session: `<member>.<count>@<epoch>:<number>`. Each half may be absent. */
export interface StandingValue {
  /** Who reads it: a process, and which of its streams. */
  readonly reader?: string | undefined;
  /** Messages up to here have reached its readers. */
  readonly read?: ClusterPosition | undefined;
}

export function formatStanding({ reader = '', read }: StandingValue): string {
  return `${reader}@${read === undefined ? '' : formatPosition(read)}`;
}

export function parseStanding(text = ''): StandingValue {
  const [reader, read] = text.split('@');
  return { reader: reader === '' ? undefined : reader, read: parsePosition(read) };
}

/** Returns the process of a reader. */
export function readMember(reader: string): string {
  return reader.split('.')[0] ?? '';
}
