import type { MigrationChange } from '../migration-change.js';
import type { SourceMigration } from '../source/source-migration.js';

/** A file that the command writes into the application: it decides who may call tools. */
export interface ToolAccessFile {
  /** Whether guards get the options that they inject from it. */
  hasGuardOptions: boolean;
  /** The file as it is written. */
  readonly change: MigrationChange;
  /** Has a file import a name of it, and gives the name to write. */
  use(file: SourceMigration, name: string, isType?: boolean): string;
}
