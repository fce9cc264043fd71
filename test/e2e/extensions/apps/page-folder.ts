import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';
import { Injectable, type Type } from '@nestjs/common';
import { App, McpModule, Tool, type AppOptions, type McpOptions, type ToolOptions } from 'nestjs-mcp';
import { bootFailure } from '../../../support/applications/boot-failure.js';

export const PAGE = '<!doctype html><title>Board</title><p>Hello</p>';

/** A folder for the pages of each test of a suite. */
export class PageFolder {
  #path = '';

  constructor() {
    beforeEach(() => {
      this.#path = mkdtempSync(join(tmpdir(), 'apps-'));
    });
    afterEach(() => rmSync(this.#path, { recursive: true }));
  }

  get path(): string {
    return this.#path;
  }

  write(name: string, text: string | Buffer = PAGE): string {
    const path = join(this.#path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  /** An application whose pages are in the folder. */
  buildParts(providers: readonly Type[], options: Partial<McpOptions> = {}) {
    const serverInfo = { name: 'desk', version: '1.0.0' };
    const apps = { directory: this.#path, ...options.apps };
    return { imports: [McpModule.forRoot({ serverInfo, ...options, apps })], providers: [...providers] };
  }

  /** Gives what the application says that does not start. */
  async fail(providers: readonly Type[], options?: Partial<McpOptions>): Promise<string> {
    return (await bootFailure(this.buildParts(providers, options))).message;
  }
}

/** A class with one tool. */
export function toolWith(ui: NonNullable<ToolOptions['ui']>): Type {
  class BoardTools {
    show(): string {
      return 'shown';
    }
  }
  return decorate(BoardTools, Tool({ ui }));
}

/** A class with one app. */
export function appWith(options: AppOptions): Type {
  class BoardApps {
    show(): void {
      // The page is a file.
    }
  }
  return decorate(BoardApps, App(options));
}

function decorate(type: Type, decorator: MethodDecorator): Type {
  Injectable()(type);
  decorator(type.prototype, 'show', Object.getOwnPropertyDescriptor(type.prototype, 'show')!);
  return type;
}
