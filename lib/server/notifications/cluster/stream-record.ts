import { formatCursor, parseCursor, type StreamCursor } from '../../sessions/streams/stream-cursor.js';

/** The value for a standing stream in the record of a session: `<member>.<count>@<cursor>`. Each half may be absent. */
export interface StreamRecord {
  /** Who reads it: a process, and which of its streams. */
  readonly reader?: string | undefined;
  /** How far its readers have got. */
  readonly read?: StreamCursor | undefined;
}

export function formatStreamRecord({ reader = '', read }: StreamRecord): string {
  return `${reader}@${read === undefined ? '' : formatCursor(read)}`;
}

export function parseStreamRecord(text = ''): StreamRecord {
  const [reader, read] = text.split('@');
  return { reader: reader === '' ? undefined : reader, read: parseCursor(read) };
}

/** Returns the process of a reader. */
export function readMember(reader: string): string {
  return reader.split('.')[0] ?? '';
}
