import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';
import { findFreePort } from '../../conformance/find-free-port.js';
import { until } from '../until.js';
import { CommandLine, type Ending } from './command-line.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const MAIN = `import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpModule } from 'nestjs-mcp';
import { GreetingTools } from './greeting.tools.js';

@Module({
  imports: [McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } })],
  providers: [GreetingTools],
})
class AppModule {}

console.log('application ' + process.pid);
const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'], forceCloseConnections: true });
await app.listen(Number(process.env['PORT']), '127.0.0.1');
`;

/** Writes the file of the tools: a class with a method of each name, with its body. */
export function writeTools(
  methods: Readonly<Record<string, string>>,
  description = 'Says something',
): string {
  const tools = Object.entries(methods).map(
    ([name, body]) => `  @Tool({ description: ${JSON.stringify(description)} })
  ${name}() {
    ${body}
  }
`,
  );
  return `import { Injectable } from '@nestjs/common';
import { Tool } from 'nestjs-mcp';

interface Unused {
  readonly isGoneWhenCompiled: true;
}

@Injectable()
export class GreetingTools {
${tools.join('\n')}}
`;
}

/** An application of TypeScript in a folder of its own, whose watch script is Node's. */
export class DevApplication {
  readonly folder: string;
  #command: CommandLine | undefined;

  private constructor(readonly port: number) {
    mkdirSync(join(ROOT, '.build'), { recursive: true });
    this.folder = mkdtempSync(join(ROOT, '.build/dev-'));
  }

  /** Makes it, with a tool that greets. */
  static async create(): Promise<DevApplication> {
    const application = new DevApplication(await findFreePort());
    const { folder } = application;
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(ROOT, join(folder, 'node_modules/nestjs-mcp'), 'dir');
    application.describe({ 'start:dev': 'node --watch dist/main.js' });
    application.write('greeting.tools.ts', writeTools({ greet: "return 'Hello';" }));
    application.write('main.ts', MAIN);
    return application;
  }

  get url(): URL {
    return new URL(`http://127.0.0.1:${this.port}/mcp`);
  }

  get command(): CommandLine {
    if (this.#command === undefined) throw new Error('The application is not started');
    return this.#command;
  }

  /** Writes its `package.json`. */
  describe(scripts: Readonly<Record<string, string>>): void {
    const manifest = { name: 'desk', private: true, type: 'module', scripts };
    writeFileSync(join(this.folder, 'package.json'), JSON.stringify(manifest, undefined, 2));
  }

  /** Writes a source, and compiles it as a watching compiler does. */
  write(name: string, source: string): void {
    const { code, map = '' } = transformSync(source, {
      filename: name,
      swcrc: false,
      jsc: {
        target: 'es2022',
        parser: { syntax: 'typescript', decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
      },
      module: { type: 'es6' },
      sourceMaps: true,
    });
    const compiled = name.replace(/\.ts$/, '.js');
    const mapped = JSON.stringify({ ...(JSON.parse(map) as object), sources: [`../src/${name}`] });
    this.put(`src/${name}`, source);
    this.put(`dist/${compiled}.map`, mapped);
    this.put(`dist/${compiled}`, `${code}\n//# sourceMappingURL=${compiled}.map\n`);
  }

  /** Writes a file as it is. */
  put(path: string, text: string): void {
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** Runs `nestjs-mcp-cli dev` there. */
  start(args: readonly string[] = [], environment: NodeJS.ProcessEnv = {}): CommandLine {
    const variables = { PORT: String(this.port), NODE_ENV: undefined, ...environment };
    this.#command = new CommandLine(['dev', ...args], { cwd: this.folder, environment: variables });
    return this.#command;
  }

  /** The processes that have printed that they are the application. */
  get processes(): readonly number[] {
    return [...this.command.stdout.matchAll(/^application (\d+)$/gm)].map(([, pid]) => Number(pid));
  }

  /** Waits until nothing of it runs any more. */
  async isGone(): Promise<void> {
    const running = () => this.processes.filter((pid) => isRunning(pid));
    await until(
      () => running().length === 0,
      () => `the end of ${running().join(', ')}`,
    );
  }

  /** Ends what is started, however it is, and removes the folder. */
  async remove(): Promise<Ending | undefined> {
    this.#command?.interrupt();
    const ending = await this.#command?.ends();
    rmSync(this.folder, { recursive: true, force: true });
    return ending;
  }
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
