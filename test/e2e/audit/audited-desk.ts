import { Injectable } from '@nestjs/common';
import {
  Complete,
  ErrorCode,
  McpAudit,
  McpError,
  Prompt,
  Resource,
  ResourceTemplate,
  RequireScope,
  Tool,
  ToolError,
  type AuditEvent,
  type AuditOptions,
  type McpContext,
  type McpOptions,
} from 'nestjs-mcp';
import { z } from 'zod';
import { bootServer, type ServerParts } from '../../support/applications/server.js';
import type { RunningApp } from '../../support/applications/boot.js';
import { until } from '../../support/until.js';

@Injectable()
export class DeskHandlers {
  /** How often somebody waited. */
  waiting = 0;

  @Tool({ inputSchema: z.object({ text: z.string() }) })
  echo({ text }: { text: string }): string {
    return text;
  }

  @Tool()
  refuse(): never {
    throw new ToolError('The desk is closed');
  }

  @Tool()
  crash(): never {
    throw new Error('hunter2');
  }

  @Tool()
  fail(): never {
    throw new McpError(-32010, 'Not today');
  }

  @Tool()
  limit(): never {
    throw new McpError(ErrorCode.RateLimited, 'Too many calls');
  }

  @Tool()
  async ask(_arguments: object, context: McpContext): Promise<string> {
    const { action } = await context.elicit({
      message: 'Which word?',
      schema: z.object({ word: z.string() }),
    });
    return action;
  }

  @Tool()
  wait(_arguments: object, { signal }: McpContext): Promise<never> {
    this.waiting += 1;
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  }

  @Prompt({ arguments: z.object({ name: z.string() }) })
  greet({ name }: { name: string }): string {
    return `Hello, ${name}!`;
  }

  @Complete({ prompt: 'greet', argument: 'name' })
  suggest(value: string): string[] {
    return [`${value}da`];
  }

  @Resource({ uri: 'desk://rules' })
  rules(): string {
    return 'Be kind';
  }

  @ResourceTemplate({ uriTemplate: 'desk://tickets/{id}' })
  ticket({ id }: { id: string }): string {
    return `Ticket ${id}`;
  }
}

@Injectable()
export class ScopedHandlers {
  @Tool({ inputSchema: z.object({ id: z.string() }) })
  @RequireScope('desk:write')
  close({ id }: { id: string }): string {
    return `${id} is closed`;
  }

  @Tool()
  settle(_arguments: object, { auth }: McpContext): string {
    auth.requireScope('desk:admin');
    return 'settled';
  }
}

/** A desk whose audit is kept. */
export interface AuditedDesk extends RunningApp {
  readonly audit: McpAudit;
  readonly events: AuditEvent[];
  /** Waits for an event, and gives it. */
  find(isMeant: Partial<AuditEvent> | ((event: AuditEvent) => boolean)): Promise<AuditEvent>;
}

/** Starts a desk, and subscribes to its audit. */
export async function bootAuditedDesk({
  audit: options,
  options: others,
  subscribes = true,
  ...parts
}: Omit<ServerParts, 'options'> & {
  readonly audit?: AuditOptions;
  readonly options?: Partial<McpOptions>;
  readonly subscribes?: boolean;
} = {}): Promise<AuditedDesk> {
  const desk = await bootServer({
    providers: [DeskHandlers],
    ...parts,
    options: { sse: true, ...others, ...(options && { audit: options }) },
  });
  return { ...desk, ...recordAudit(desk, subscribes) };
}

/** Subscribes to the audit of an application, and keeps what it hears. */
export function recordAudit(
  { app }: RunningApp,
  subscribes = true,
): Pick<AuditedDesk, 'audit' | 'events' | 'find'> {
  const audit = app.get(McpAudit);
  const events: AuditEvent[] = [];
  if (subscribes) audit.events$.subscribe((event) => events.push(event));
  return {
    audit,
    events,
    find: (isMeant) => {
      const test = typeof isMeant === 'function' ? isMeant : (event: AuditEvent) => hasAll(event, isMeant);
      return until(
        () => events.find(test),
        () => `an event ${JSON.stringify(isMeant)} among ${JSON.stringify(events, undefined, 1)}`,
      );
    },
  };
}

function hasAll(event: AuditEvent, wanted: Partial<AuditEvent>): boolean {
  return Object.entries(wanted).every(([name, value]) => event[name as keyof AuditEvent] === value);
}
