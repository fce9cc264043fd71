import { NodeProgram } from './node-program.js';

const LONGEST_MS = 60_000;

/** What the demo of a sample came to. */
export class DemoRun {
  private constructor(
    readonly program: NodeProgram,
    readonly code: number | null,
  ) {}

  /** Runs a demo to its end. */
  static async of(file: string): Promise<DemoRun> {
    const program = new NodeProgram(file);
    return new DemoRun(program, await program.exitCode(LONGEST_MS));
  }

  /** What it printed, in parts that begin with a line that is not indented. */
  get parts(): readonly string[] {
    return this.program.stdout.split(/^(?=\S)/m);
  }

  /** Gives the first part of which something is true; nothing printed where there is none. */
  find(isMeant: (part: string) => boolean): string {
    return this.parts.find(isMeant) ?? '';
  }
}
