import type { MigrationChange } from '../migration-change.js';
import type { SourceMigration } from '../source/source-migration.js';

/** A file that the command adds to the application, and that decides who may call tools. */
export interface ToolAccessFile {
  /** Whether the file provides the options that guards inject. */
  hasGuardOptions: boolean;
  /** The file to write. */
  readonly change: MigrationChange;
  /** Imports one of its names into a file, and returns the local name. */
  use(file: SourceMigration, name: string, isType?: boolean): string;
}
