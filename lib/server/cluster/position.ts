import type { ClusterPosition } from '../settings/cluster/cluster.interface.js';

/** Formats a log position as backends write it into records and clients send it: `<epoch>:<number>`. */
export function formatPosition({ epoch, number }: ClusterPosition): string {
  return `${epoch}:${number}`;
}

/** Parses a log position. Returns `undefined` if it is not valid. */
export function parsePosition(text: string | undefined): ClusterPosition | undefined {
  const match = /^([a-z0-9]{1,64}):(0|[1-9]\d{0,15})$/.exec(text ?? '');
  const [, epoch, digits] = match ?? [];
  const number = Number(digits);
  return epoch === undefined || !Number.isSafeInteger(number) ? undefined : { epoch, number };
}

/** Returns whether a position is at or before another one. Positions in different logs are never in order. */
export function isUpTo(position: ClusterPosition, other: ClusterPosition): boolean {
  return position.epoch === other.epoch && position.number <= other.number;
}

/** Returns whether a position is after another one. Positions in different logs are never in order. */
export function isBehind(position: ClusterPosition, other: ClusterPosition | undefined): boolean {
  return position.epoch === other?.epoch && position.number > other.number;
}
