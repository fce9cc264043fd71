/** Where the files of an application are read; paths are relative to its root. */
export interface Project {
  /** Reads a file. Returns `undefined` if there is none. */
  read(path: string): string | undefined;
  /** Finds the version of a package that is installed. Returns `undefined` if it is not. */
  findVersion(name: string): string | undefined;
}

/** A file as it shall be. */
export interface FileChange {
  readonly path: string;
  readonly text: string;
  /** Whether there was none. */
  readonly isCreated: boolean;
}

/** What is to be done with an application. */
export interface Plan {
  readonly changes: readonly FileChange[];
  /** What is left to the developer, in sentences. */
  readonly notes: readonly string[];
}
