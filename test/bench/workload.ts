import { type Contender, type Plan } from './contender.js';

/** One line of a workload's table. */
export interface Row {
  id: string;
  label: string;
  /** Starts what is measured; absent if the subject cannot do this at all, whose line shows dashes. */
  start?: ((plan: Plan) => Promise<Contender>) | undefined;
}

/** Rows that do the same, and are measured side by side. */
export interface Workload {
  name: string;
  title: string;
  /** By which part of the plan it is measured. */
  kind: 'load' | 'fanOut';
  rows: Row[];
  /** The row whose processor time is the unit of `ratio`. */
  unit: string;
}

/** Gives the id of a row that measures another row once more: how far the two differ is chance. */
export function formatAgainId(rowId: string): string {
  return `${rowId}/again`;
}
