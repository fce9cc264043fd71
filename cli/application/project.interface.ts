/** Reads the files of an application. Paths are relative to its root. */
export interface Project {
  /** Reads a file. Returns `undefined` if there is none. */
  read(path: string): string | undefined;
  /** Finds the version of a package that is installed. Returns `undefined` if it is not. */
  findVersion(name: string): string | undefined;
}

/** A file to write. */
export interface FileChange {
  readonly path: string;
  readonly text: string;
  /** Whether the file is new. */
  readonly isCreated: boolean;
}

/** The changes to an application, and what is left to the developer. */
export interface Plan {
  readonly changes: readonly FileChange[];
  /** Instructions for the developer. */
  readonly notes: readonly string[];
}
