import { Injectable } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  Complete,
  McpCatalog,
  McpModule,
  McpNotifier,
  Prompt,
  Resource,
  ResourceTemplate,
  Tool,
  type McpContext,
  type McpOptions,
} from 'nestjs-mcp';
import {
  getMcpClientToken,
  McpClientModule,
  type HttpClientOptions,
  type McpClient,
  type McpClientOptions,
} from 'nestjs-mcp/client-module';
import { z } from 'zod';
import type { INestApplicationContext, Provider } from '@nestjs/common';
import { bootApp, type RunningApp } from '../../support/applications/boot.js';

/** What the shop's server offers to clients. */
@Injectable()
export class Shop {
  /** What came in, by its name. */
  readonly seen: string[] = [];

  constructor(
    readonly catalog: McpCatalog,
    readonly notifier: McpNotifier,
  ) {}

  @Tool({ description: 'Adds two numbers', inputSchema: z.object({ a: z.number(), b: z.number() }) })
  add({ a, b }: { a: number; b: number }): { sum: number } {
    this.seen.push('add');
    return { sum: a + b };
  }

  @Tool({ description: 'Counts, and says how far it is' })
  count(_: object, context: McpContext): string {
    context.progress(1, 2, 'half');
    context.progress(2, 2, 'all');
    return 'counted';
  }

  @Tool({ description: 'Fails' })
  fail(): never {
    throw new Error('no luck');
  }

  @Tool({ description: 'Takes as long as it is let' })
  async wait(_: object, context: McpContext): Promise<string> {
    this.seen.push('wait');
    await new Promise<void>((resolve) =>
      context.signal.addEventListener('abort', () => {
        this.seen.push('cancelled');
        resolve();
      }),
    );
    return 'late';
  }

  @Tool({ description: 'Says who it is that calls' })
  whoami(_: object, { auth }: McpContext): string {
    return auth.claims?.sub ?? 'nobody';
  }

  @Resource({ uri: 'shop://stock' })
  stock(): string {
    return 'ten apples';
  }

  @ResourceTemplate({ uriTemplate: 'shop://goods/{name}' })
  goods({ name }: { name: string }): string {
    return `a box of ${name}`;
  }

  @Prompt({ arguments: z.object({ who: z.string() }) })
  greeting({ who }: { who: string }): string {
    return `Greet ${who}`;
  }

  @Complete({ prompt: 'greeting', argument: 'who' })
  names({ value }: { value: string }): string[] {
    return ['Ada', 'Alan', 'Bob'].filter((name) => name.startsWith(value));
  }
}

/** Starts a shop, on both wires. */
export async function bootShop(options: Partial<McpOptions> = {}, providers: Provider[] = []) {
  const server = await bootApp({
    imports: [McpModule.forRoot({ serverInfo: { name: 'shop', version: '1.0.0' }, ...options })],
    providers: [Shop, ...providers],
  });
  return Object.assign(server, { shop: server.app.get(Shop) });
}

export type RunningShop = RunningApp & { readonly shop: Shop };

/** An application that uses a server through an injected client. */
export interface Customer {
  readonly app: INestApplicationContext;
  readonly client: McpClient;
}

/** The two kinds of connection that clients make. */
export const WIRES = ['legacy', { pin: '2026-07-28' }] as const satisfies HttpClientOptions['negotiation'][];

/** Starts an application with one client, `shop`. */
export async function bootCustomer(options: McpClientOptions, providers: Provider[] = []): Promise<Customer> {
  const app = await NestFactory.createApplicationContext(
    {
      module: class CustomerModule {},
      imports: [McpClientModule.forRoot([{ name: 'shop', ...options }])],
      providers,
    },
    { logger: false, abortOnError: false },
  );
  return { app, client: app.get<McpClient>(getMcpClientToken('shop')) };
}
