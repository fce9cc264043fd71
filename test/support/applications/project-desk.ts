import { Injectable, NotFoundException } from '@nestjs/common';
import {
  Complete,
  Prompt,
  RequireScope,
  Resource,
  ResourceTemplate,
  Tool,
  type McpContext,
  type ScopedCall,
} from 'nestjs-mcp';

/** What ran of the desk, in order. */
export const ran: string[] = [];

const PROJECT = {
  type: 'object',
  properties: { project: { type: 'string' }, note: { type: 'string' } },
  required: ['project'],
} as const;

const MOVE = {
  type: 'object',
  properties: { from: { type: 'string' }, to: { type: 'string' } },
  required: ['from', 'to'],
} as const;

interface Move {
  readonly from: string;
  readonly to: string;
}

/** A desk of projects: what a caller may do depends on the project. */
@Injectable()
export class ProjectHandlers {
  @Tool({ inputSchema: PROJECT })
  @RequireScope('project:{project}:read')
  open({ project }: { project: string }): string {
    ran.push(`open ${project}`);
    return project;
  }

  @Tool({ inputSchema: PROJECT })
  @RequireScope('desk:write', 'project:{project}:write')
  annotate({ project }: { project: string }): string {
    ran.push(`annotate ${project}`);
    return project;
  }

  @Tool({ inputSchema: MOVE })
  @RequireScope(async ({ arguments: { from, to } }: ScopedCall<Move>) => [
    `project:${from}:write`,
    `project:${to}:write`,
  ])
  move({ from, to }: Move): string {
    ran.push(`move ${from} ${to}`);
    return to;
  }

  @Tool({ inputSchema: PROJECT })
  @RequireScope('desk:write', 'project:{project}:read')
  publish({ project }: { project: string }, { auth }: McpContext): string {
    ran.push(`publish ${project}`);
    auth.requireScope('desk:publish');
    auth.requireScope(`project:${project}:publish`);
    return project;
  }

  @Tool({ inputSchema: PROJECT })
  @RequireScope(({ arguments: { project } }) => {
    if (project === 'gone') throw new NotFoundException('There is no such project');
    if (project === 'broken') throw new Error('the database is down');
    return project === 'void' ? (undefined as unknown as string) : [];
  })
  look({ project }: { project: string }): string {
    ran.push(`look ${project}`);
    return project;
  }

  @Resource({ uri: 'desk://mine', name: 'mine' })
  @RequireScope(({ context: { auth } }) => `desk:of:${auth.claims?.sub ?? 'nobody'}`)
  mine(): string {
    ran.push('mine');
    return 'mine';
  }

  @ResourceTemplate({ uriTemplate: 'project://{project}/tickets/{id}', name: 'ticket' })
  @RequireScope('project:{project}:read')
  ticket({ project, id }: { project: string; id: string }): string {
    ran.push(`ticket ${project} ${id}`);
    return `${project} ${id}`;
  }

  @Complete({ resourceTemplate: 'project://{project}/tickets/{id}', argument: 'id' })
  @RequireScope('project:{project}:search')
  ids(): string[] {
    ran.push('ids');
    return ['1'];
  }

  @Complete({ resourceTemplate: 'project://{project}/tickets/{id}', argument: 'project' })
  projects(): string[] {
    ran.push('projects');
    return ['alpha'];
  }

  @Prompt({ arguments: [{ name: 'project', required: true }] })
  @RequireScope('desk:plan', 'project:{project}:read')
  plan({ project }: { project: string }): string {
    ran.push(`plan ${project}`);
    return `Plan ${project}`;
  }
}

const ALPHA = ['read', 'write', 'search', 'publish'].map((right) => `project:alpha:${right}`);

/** Callers of the desk by fixed tokens. */
export const PROJECT_CALLERS = {
  none: { token: 'fixed-token-with-no-scope', subject: 'eve' },
  desk: { token: 'fixed-token-of-the-desk-alone', subject: 'dan', scopes: ['desk:write', 'desk:plan'] },
  reader: {
    token: 'fixed-token-of-a-reader-of-alpha',
    subject: 'rae',
    scopes: ['desk:write', 'project:alpha:read'],
  },
  publisher: {
    token: 'fixed-token-of-a-publisher',
    subject: 'pam',
    scopes: ['desk:write', 'desk:publish', 'project:alpha:read'],
  },
  alpha: {
    token: 'fixed-token-of-alpha-and-desk',
    subject: 'ada',
    scopes: ['desk:write', 'desk:plan', 'desk:publish', 'desk:of:ada', ...ALPHA],
  },
} as const;
