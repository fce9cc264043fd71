/** Where the files of an application are read; paths are relative to its root. */
export interface Project {
  /** Reads a file; nothing where there is none. */
  read(path: string): string | undefined;
  /** Finds the version of a package that is installed; nothing where it is not. */
  findVersion(name: string): string | undefined;
}

/** A file as it shall be. */
export interface FileChange {
  readonly path: string;
  readonly text: string;
  /** Whether there was none. */
  readonly isCreated: boolean;
}

/** What `init` is asked to do. */
export interface InitRequest {
  /** The file of the root module. @default `app.module.ts` in the folder of the sources */
  readonly module?: string | undefined;
  /** What the file and the class of the first tool are called after. @default 'greeting' */
  readonly name?: string | undefined;
}
