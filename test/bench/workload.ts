import type { Kind, Quantity } from './bench-output.js';
import type { Contender } from './contender.js';
import type { Setup } from './plan.js';

/** One line of a workload's table. */
export interface Row {
  id: string;
  label: string;
  /** Starts what is measured; absent if the subject cannot do this at all, whose line shows dashes. */
  start?: ((setup: Setup) => Promise<Contender>) | undefined;
}

/** Rows that do the same, and are measured side by side. */
export interface Workload {
  name: string;
  title: string;
  /** By which part of the plan it is measured. */
  kind: Kind;
  /** What is compared. */
  quantity: Quantity;
  rows: Row[];
  /**
   * On how many launches the rounds are spread. Two processes of one program differ by a few percent as long as they live,
   * by what their code was compiled to and where it lies: more than a limit may leave room for.
   *
   * @default 1
   */
  launches?: number;
  /** Whether it is left out on a machine that has no Redis. */
  needsRedis?: boolean;
  /** The row whose cost is the unit of `ratio`. */
  unit: string;
}

/** Gives the id of a row that measures another row once more: how far the two differ is chance. */
export function formatAgainId(rowId: string): string {
  return `${rowId}/again`;
}

/** Gives the id of a row whose subject has so many of what the workload is about. */
export function formatCountId(rowId: string, count: number): string {
  return `${rowId}/${count}`;
}

/** As many tools, or resources, as cost per call must not depend on. */
export const MANY = 5000;

export const CPU_PER_REQUEST: Quantity = { name: 'CPU µs/request', unit: 'µs' };
export const CPU_PER_STREAM: Quantity = { name: 'CPU µs/stream', unit: 'µs' };
export const BYTES_PER_SESSION: Quantity = { name: 'bytes/session', unit: 'bytes' };
export const BYTES_HELD: Quantity = { name: 'bytes held', unit: 'bytes' };
export const TIME_TO_ANSWER: Quantity = { name: 'ms to an answer', unit: 'ms' };
export const TIME_TO_RESULT: Quantity = { name: 'ms to a result', unit: 'ms' };
export const P99: Quantity = { name: 'ms, all but 1 %', unit: 'ms' };
export const LONGEST_PAUSE: Quantity = { name: 'ms of pause', unit: 'ms' };
export const TIME_TO_STREAM: Quantity = { name: 'ms to a stream', unit: 'ms' };
