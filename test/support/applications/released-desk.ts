import { Injectable } from '@nestjs/common';
import {
  Prompt,
  Public,
  Resource,
  ResourceTemplate,
  Tool,
  type McpModuleExtras,
  type McpOptions,
} from 'nestjs-mcp';
import type { RunningApp } from './boot.js';
import { bootServer } from './server.js';

/** What each release has. */
@Injectable()
class SharedDesk {
  @Public()
  @Prompt()
  greet(): string {
    return 'Greet the customer';
  }

  @Public()
  @Resource({ uri: 'desk://1' })
  ticket(): string {
    return 'a ticket';
  }
}

@Injectable()
class FormerDesk {
  @Public()
  @Tool()
  old(): string {
    return 'old';
  }
}

@Injectable()
class NextDesk {
  @Public()
  @Tool()
  fresh(): string {
    return 'fresh';
  }
}

@Injectable()
class OtherDesk {
  @Public()
  @Prompt({ description: 'Says goodbye' })
  part(): string {
    return 'Say goodbye';
  }

  @Public()
  @ResourceTemplate({ uriTemplate: 'desk://{ticket}/notes' })
  notes(): string {
    return 'notes';
  }
}

/** The handlers of each release of an application. The last one has the tools of the first. */
const RELEASES = {
  former: [SharedDesk, FormerDesk],
  next: [SharedDesk, NextDesk],
  'with other prompts and resources': [SharedDesk, FormerDesk, OtherDesk],
} as const;

export type Release = keyof typeof RELEASES;

export const SECRET = 'the secret that all releases were given';

/** Starts a process of a release. */
export function bootRelease(
  release: Release,
  options: Partial<McpOptions & McpModuleExtras> = {},
): Promise<RunningApp> {
  return bootServer({
    providers: [...RELEASES[release]],
    options: { secret: SECRET, sessions: { recover: true }, ...options },
  });
}
