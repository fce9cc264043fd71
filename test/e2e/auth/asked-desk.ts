import { Injectable } from '@nestjs/common';
import { Throttle } from '@nestjs/throttler';
import {
  Complete,
  Concurrency,
  Prompt,
  RequireScope,
  Resource,
  ResourceTemplate,
  Tool,
  type ScopedCall,
} from 'nestjs-mcp';
import { z } from 'zod';
import { Gates } from '../../support/applications/gate.js';

const PROJECT = z.object({ project: z.string() });
const ONCE = { default: { limit: 1, ttl: 60_000 } };

/** What the application was asked for, by the name of what was called. */
export const asked: string[] = [];
/** The handlers that ran. */
export const ran: string[] = [];
/** Where functions wait that are asked for the project of that name. */
export const gates = new Gates();

/** Asks for the scope of a project, by a function that takes its time for some. */
async function askScope({ name, arguments: { project } }: ScopedCall): Promise<string> {
  asked.push(name);
  if (String(project).startsWith('slow')) await gates.at(String(project)).pass();
  return 'project:read';
}

/** Handlers that may be called once a minute, and whose scopes the application is asked for. */
@Injectable()
@RequireScope(askScope)
export class AskedHandlers {
  @Tool({ inputSchema: PROJECT })
  @Throttle(ONCE)
  open({ project }: z.infer<typeof PROJECT>) {
    ran.push('open');
    return project;
  }

  @Tool({ inputSchema: PROJECT })
  free({ project }: z.infer<typeof PROJECT>) {
    ran.push('free');
    return project;
  }

  @Tool({ inputSchema: PROJECT })
  @Concurrency({ max: 1 })
  async alone({ project }: z.infer<typeof PROJECT>) {
    ran.push('alone');
    await gates.at(`in ${project}`).pass();
    return project;
  }

  @Resource({ uri: 'desk://plan', name: 'plan' })
  @Throttle(ONCE)
  plan() {
    return 'plan';
  }

  @ResourceTemplate({ uriTemplate: 'desk://{project}/plan', name: 'plans' })
  @Throttle(ONCE)
  plans() {
    return 'plan';
  }

  @Prompt({ arguments: [{ name: 'project' }, { name: 'unsuggested' }] })
  @Throttle(ONCE)
  outline() {
    return 'outline';
  }

  @Complete({ prompt: 'outline', argument: 'project' })
  @Throttle(ONCE)
  projects() {
    return ['alpha'];
  }
}

/** Callers by fixed tokens. */
export const ASKED_CALLERS = {
  reader: { token: 'fixed-token-of-a-reader-3a7e', subject: 'rae', scopes: ['project:read'] },
  eve: { token: 'fixed-token-of-nobody-91bc', subject: 'eve', scopes: [] },
} as const;
