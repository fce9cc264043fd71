import type { FileChange } from '../application/project-folder.js';
import type { TextFile } from './source/read-text-file.js';

/** A file with its new content, and as it was read. */
export interface MigrationChange extends FileChange {
  /** Absent if the file did not exist. */
  readonly before: TextFile | undefined;
  /** Whether the file is removed. @default false */
  readonly isRemoved?: boolean;
}
