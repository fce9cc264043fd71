import type { FileChange } from '../application/project.interface.js';
import type { TextFile } from './source/read-text-file.js';

/** A file as it shall be, and as it was when it was read. */
export interface MigrationChange extends FileChange {
  readonly before: TextFile;
}
