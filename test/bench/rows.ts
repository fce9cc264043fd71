import type { Exchange } from './exchange.js';
import { type Assignment, startLoad } from './server-contender.js';
import type { Subject } from './subjects.js';
import { formatAgainId, type Row } from './workload.js';

/** Which server is started and what it is asked. */
export type Asked = Omit<Assignment, 'subject'> & { exchange: Exchange };

/** Builds the row of a subject that is sent one request after the other. */
export function buildRow(subject: Subject, asked: Asked): Row {
  const { id, label, wires } = subject;
  const canDo = wires.includes(asked.wire);
  return { id, label, start: canDo ? (setup) => startLoad({ ...asked, subject }, setup) : undefined };
}

/** Measures one row once more: how far the two differ is chance. */
export function withAgain(id: string, rows: Row[]): Row[] {
  return rows.flatMap((row) =>
    row.id === id ? [row, { ...row, id: formatAgainId(id), label: `${row.label}, once more` }] : [row],
  );
}
