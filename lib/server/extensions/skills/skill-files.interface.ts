import type { McpContext } from '../../context/mcp-context.interface.js';

/** The files of one skill, by their paths in it, with `/` between folders. */
export interface SkillFiles {
  /** Whether they are made for each caller, so that nothing can be said of them beforehand. */
  readonly isDynamic: boolean;
  /** Tells whether there was a file of that path when they were found. */
  has(path: string): boolean;
  /** Returns the paths of all of them. */
  list(context?: McpContext): readonly string[] | Promise<readonly string[]>;
  /** Reads one. Returns `undefined` if there is none of that path. */
  read(path: string, context?: McpContext): Promise<Uint8Array | undefined>;
  /** Folders that are there whether a file is in them or not. @default those of files */
  readonly folders?: ReadonlySet<string>;
}
