import type { Project } from '../application/project.interface.js';

/** An application whose folders can be looked into. */
export interface ProjectTree extends Project {
  /** Lists what a folder holds, by names; nothing of a folder that is not there. */
  list(folder: string): FolderContents;
}

export interface FolderContents {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}
