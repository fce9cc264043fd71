import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { NodeProgram } from '../../support/programs/node-program.js';
import { listPages, ROOT, writeProgram, writeSettings } from './snippets.js';

/** Two workers of jest may be at it at once. */
const SOURCES = join(ROOT, `.build/pages-${process.env['JEST_WORKER_ID'] ?? 0}`);
const COMPILED = join(SOURCES, 'compiled');

const TOKEN = 'the-token-of-a-reader-of-the-docs';
const AUTHORIZED = { authorization: `Bearer ${TOKEN}` };

/** Gives the folder of a page's compiled blocks, which import the package as it is built. */
export function folderOf(page: string): string {
  return join(COMPILED, page.replace(/\.md$/, ''));
}

/** Compiles the blocks of all pages. */
export function compilePages(): void {
  rmSync(SOURCES, { recursive: true, force: true });
  for (const page of listPages()) writeProgram(join(SOURCES, page.replace(/\.md$/, '')), page);
  writeSettings(SOURCES, { noEmit: false, outDir: COMPILED, rootDir: SOURCES, paths: {} });
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [compiler, '--project', SOURCES], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stdout);
}

export interface ServeOptions {
  /** Whether the client takes the newest revision or shakes hands. @default 'auto' */
  readonly mode?: 'auto' | 'legacy';
  /** Says what the client answers, before it connects. */
  readonly prepare?: (client: Client) => void;
}

/** A page whose providers are served, and the official client that is connected to them. */
export class ServedPage {
  private constructor(
    private readonly program: NodeProgram,
    readonly url: string,
    readonly client: Client,
  ) {}

  /** Who reads, for requests that the client does not know. */
  readonly headers = AUTHORIZED;

  static async serve(page: string, { mode = 'auto', prepare }: ServeOptions = {}): Promise<ServedPage> {
    const environment = { PAGE: folderOf(page), TOKEN };
    const program = new NodeProgram(join(ROOT, 'test/e2e/docs/serve-page.js'), environment);
    await program.prints('/mcp');
    const url = new URL(/ready (\S+)/.exec(program.stdout)?.[1] ?? '');
    const client = new Client({ name: 'reader', version: '1.0.0' }, { versionNegotiation: { mode } });
    prepare?.(client);
    const requestInit = { headers: AUTHORIZED };
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
    return new ServedPage(program, url.href, client);
  }

  /** Calls a tool and gives its structured content, else its text. */
  async call(name: string, input: Record<string, unknown> = {}): Promise<unknown> {
    const { structuredContent, content } = await this.client.callTool({ name, arguments: input });
    const [first] = content;
    return structuredContent ?? (first?.type === 'text' ? first.text : first);
  }

  /** Reads a resource and gives its text, else its bytes as base64. */
  async read(uri: string): Promise<string> {
    const [contents] = (await this.client.readResource({ uri })).contents;
    if (contents === undefined) return '';
    return 'text' in contents ? contents.text : contents.blob;
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.program.stop();
  }
}
