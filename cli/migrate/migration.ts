import type { Node } from 'ts-morph';
import type { ToolAccessFile } from './access/tool-access.interface.js';
import type { PlainError } from './plain-errors.js';
import type { MigrationFacts, SourceMigration } from './source/source-migration.js';

/** A project while it is migrated. */
export class Migration {
  /** Notes in addition to the changes: the parts that were left out as unneeded. */
  readonly notes = new Set<string>();
  /** Texts that rules write into their own lists, by the node of the list. */
  readonly lists = new Map<Node, string[]>();
  /** Files of which nothing is left. */
  readonly removed = new Set<SourceMigration>();
  /** Where errors are thrown whose messages callers do not read any more. */
  readonly plainErrors: PlainError[] = [];
  /** What decides who may call tools, if something has to. */
  access: ToolAccessFile | undefined;
  readonly #byPath: ReadonlyMap<string, SourceMigration>;

  constructor(
    readonly facts: MigrationFacts,
    readonly files: readonly SourceMigration[],
  ) {
    this.#byPath = new Map(files.map((file) => [file.file.getFilePath() as string, file]));
  }

  /** Returns the file of a node. */
  fileOf(node: Node): SourceMigration {
    const path = node.getSourceFile().getFilePath();
    const file = this.#byPath.get(path);
    if (file === undefined) throw new RangeError(`"${path}" is no file of the project`);
    return file;
  }

  /** Tells that something was left out. */
  leaveOut(node: Node, name: string): void {
    this.notes.add(`${this.fileOf(node).path}: "${name}" is removed: it is not needed here`);
  }
}

/** Migrates one matter in all files. */
export type Rule = (migration: Migration) => void;
