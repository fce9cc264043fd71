import type { FileChange } from '../application/project.interface.js';
import type { TextFile } from './source/read-text-file.js';

/** A file as it shall be, and as it was when it was read. */
export interface MigrationChange extends FileChange {
  /** Absent if there was none. */
  readonly before: TextFile | undefined;
  /** Whether there shall be none. @default false */
  readonly isRemoved?: boolean;
}
