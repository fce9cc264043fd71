import type { Project } from '../application/project-folder.js';

/** An application whose folders can be listed. */
export interface ProjectTree extends Project {
  /** Lists the names of the files and folders in a folder; empty if the folder does not exist. */
  list(folder: string): FolderContents;
}

export interface FolderContents {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}
