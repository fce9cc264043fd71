import type { Node } from 'ts-morph';
import type { ToolAccessFile } from './access/tool-access.interface.js';
import type { PlainError } from './plain-errors.js';
import type { MigrationFacts, SourceMigration } from './source/source-migration.js';

/** A project during its migration. */
export class Migration {
  /** Notes in addition to the changes, such as parts that were removed because they are not needed. */
  readonly notes = new Set<string>();
  /** The elements that rules add to lists, keyed by the node of the list. */
  readonly lists = new Map<Node, string[]>();
  /** Files to remove. */
  readonly removed = new Set<SourceMigration>();
  /** The locations of errors whose messages callers no longer receive. */
  readonly plainErrors: PlainError[] = [];
  /** The file that decides who may call tools, if one is needed. */
  access: ToolAccessFile | undefined;
  readonly #byPath: ReadonlyMap<string, SourceMigration>;

  constructor(
    readonly facts: MigrationFacts,
    readonly files: readonly SourceMigration[],
  ) {
    this.#byPath = new Map(files.map((file) => [file.file.getFilePath() as string, file]));
  }

  /** Returns a node's file. */
  fileOf(node: Node): SourceMigration {
    const path = node.getSourceFile().getFilePath();
    const file = this.#byPath.get(path);
    if (file === undefined) throw new RangeError(`"${path}" is not one of the project's files`);
    return file;
  }

  /** Records that something was removed. */
  leaveOut(node: Node, name: string): void {
    this.notes.add(`${this.fileOf(node).path}: "${name}" was removed, because it is not needed here`);
  }
}

/** Migrates one aspect in all files. */
export type Rule = (migration: Migration) => void;
