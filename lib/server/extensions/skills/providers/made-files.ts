import type { McpContext } from '../../../context/mcp-context.interface.js';
import type { SkillFiles } from '../skill-files.interface.js';
import type { Contents } from './read-contents.js';

/** The files of a skill that a provider makes once. */
export class MadeFiles implements SkillFiles {
  readonly isDynamic = false;
  #contents: Contents = new Map();

  constructor(private readonly make: () => Promise<Contents>) {}

  /** Creates the files. A read before this finds none. */
  async load(): Promise<void> {
    this.#contents = await this.make();
  }

  has(path: string): boolean {
    return this.#contents.has(path);
  }

  list(): readonly string[] {
    return [...this.#contents.keys()];
  }

  async read(path: string): Promise<Uint8Array | undefined> {
    return this.#contents.get(path);
  }
}

/** The files of a skill that a provider makes for each caller. */
export class DynamicFiles implements SkillFiles {
  readonly isDynamic = true;

  constructor(private readonly make: (context: McpContext) => Promise<Contents>) {}

  /** Nobody knows beforehand. */
  has(): boolean {
    return false;
  }

  async list(context: McpContext): Promise<readonly string[]> {
    return [...(await this.make(context)).keys()];
  }

  async read(path: string, context: McpContext): Promise<Uint8Array | undefined> {
    return (await this.make(context)).get(path);
  }
}
