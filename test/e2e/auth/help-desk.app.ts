import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  Claims,
  Complete,
  McpExtensions,
  Prompt,
  Public,
  RequireScope,
  Resource,
  ResourceTemplate,
  Tool,
  type McpContext,
} from 'nestjs-mcp';
import { CALLERS, PUBLISHED } from '../../support/applications/protected-desk.js';

/** The closed handlers that ran, in order. */
export const ran: string[] = [];

/** Open to everybody, but for one. */
@Injectable()
@Public()
export class HelpHandlers {
  @Tool({ description: 'Tells the opening hours' })
  hours(@Claims('sub') subject?: string): string {
    return `9 to 17 for ${subject ?? 'anybody'}`;
  }

  @Tool({ description: 'Shows more to whom may see it' })
  details(_arguments: object, { auth }: McpContext): string {
    auth.requireScope('desk:write');
    return 'details';
  }

  @Tool({ description: 'Is of a public class, but asks for a scope' })
  @RequireScope('desk:write')
  exception(): string {
    ran.push('exception');
    return 'exception';
  }

  @Resource({ uri: 'help://rules' })
  rules(): string {
    return 'rules';
  }

  @ResourceTemplate({ uriTemplate: 'help://topics/{name}' })
  topic(): string {
    return 'topic';
  }

  @Prompt({ arguments: [{ name: 'topic' }] })
  ask(): string {
    return 'ask';
  }

  @Complete({ prompt: 'ask', argument: 'topic' })
  topics(): string[] {
    return ['rain'];
  }
}

/** Closed, but for one. */
@Injectable()
@RequireScope('desk:read')
export class DeskHandlers {
  @Tool({ description: 'Lists tickets' })
  list(): string {
    ran.push('list');
    return 'listed';
  }

  @Tool({ description: 'Counts tickets, for everybody' })
  @Public()
  count(): string {
    return '7';
  }

  @Resource({ uri: 'desk://tickets' })
  tickets(): string {
    ran.push('tickets');
    return 'tickets';
  }

  @Prompt({ arguments: [{ name: 'day' }] })
  plan(): string {
    ran.push('plan');
    return 'plan';
  }
}

/** The extension that {@link ReportsExtension} is. */
export const REPORTS = 'com.example/reports';

/** Who told the extension that a report was read, in order. */
export const told: unknown[] = [];

/** Adds a method and a notification that no revision has. */
@Injectable()
export class ReportsExtension implements OnModuleInit {
  constructor(private readonly extensions: McpExtensions) {}

  onModuleInit(): void {
    const handle = () => ({ reports: [] });
    this.extensions.register({
      id: REPORTS,
      specVersion: '2026-07-28',
      stability: 'experimental',
      methods: [{ method: 'reports/list', requiresDeclaration: false, handle }],
      notifications: [
        { method: 'notifications/reports/read', handle: ({ reader }) => void told.push(reader) },
      ],
    });
  }
}

/** What asks for the tokens of three callers. */
export const AUTH = { ...PUBLISHED, bearer: [CALLERS.ada, CALLERS.bob, CALLERS.eve] };
