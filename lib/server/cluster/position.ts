import type { ClusterPosition } from '../settings/cluster/cluster.interface.js';

/** Writes a place in the log as engines stamp it, and as clients carry it: `<epoch>:<number>`. */
export function formatPosition({ epoch, number }: ClusterPosition): string {
  return `${epoch}:${number}`;
}

/** Reads a place in the log. Returns `undefined` if it is not one. */
export function parsePosition(text: string | undefined): ClusterPosition | undefined {
  const match = /^([a-z0-9]{1,64}):(0|[1-9]\d{0,15})$/.exec(text ?? '');
  const [, epoch, digits] = match ?? [];
  const number = Number(digits);
  return epoch === undefined || !Number.isSafeInteger(number) ? undefined : { epoch, number };
}

/** Tells whether a place is another or stands before it; places of different logs do not. */
export function isUpTo(position: ClusterPosition, other: ClusterPosition): boolean {
  return position.epoch === other.epoch && position.number <= other.number;
}

/** Tells whether a place comes after another. Places of different logs are never in order. */
export function isBehind(position: ClusterPosition, other: ClusterPosition | undefined): boolean {
  return position.epoch === other?.epoch && position.number > other.number;
}
