import { Injectable, SetMetadata, type Provider } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  Complete,
  Prompt,
  Public,
  RequireScope,
  Resource,
  ResourceTemplate,
  Tool,
  type HandlerVisibility,
  type VisibilityContext,
  type VisibleHandler,
} from 'nestjs-mcp';

/** What the predicates of the desk go by, which tests change. */
export class Flags {
  /** Who sees what is hidden; everybody with `*`. */
  readonly shownTo = new Set<string>();
  /** How often each handler was asked for, by name. */
  readonly asked: string[] = [];

  /** A predicate that asks somewhere else. */
  readonly visible = async ({ auth, http }: VisibilityContext): Promise<boolean> => {
    this.asked.push('hidden');
    await Promise.resolve();
    const tenant = http?.headers['x-tenant'];
    const names = [auth.claims?.sub, typeof tenant === 'string' ? tenant : undefined, '*'];
    return names.some((name) => name !== undefined && this.shownTo.has(name));
  };
}

/** Flags are of one test file: it makes its own desk with them. */
export function createHiddenDesk(flags: Flags): Provider {
  const { visible } = flags;

  @Injectable()
  class HiddenDesk {
    @Tool()
    shown(): string {
      return 'shown';
    }

    @Tool({ name: 'hidden', visible })
    hiddenTool(): string {
      return 'hidden';
    }

    @RequireScope('desk:secret')
    @Tool({ visible })
    scoped(): string {
      return 'scoped';
    }

    @Public()
    @Tool({ visible })
    open(): string {
      return 'open';
    }

    @Tool({ task: 'optional', visible })
    long(): string {
      return 'long';
    }

    @Prompt({ name: 'shown', arguments: [{ name: 'topic' }] })
    shownPrompt(): string {
      return 'shown';
    }

    @Prompt({ name: 'hidden', arguments: [{ name: 'topic' }], visible })
    hiddenPrompt(): string {
      return 'hidden';
    }

    @Complete({ prompt: 'hidden', argument: 'topic' })
    completeTopic(): string[] {
      return ['secrets'];
    }

    @Resource({ uri: 'desk://shown', name: 'shown' })
    shownResource(): string {
      return 'shown';
    }

    @Resource({ uri: 'desk://hidden', name: 'hidden', cache: { ttlMs: 1000, scope: 'public' }, visible })
    hiddenResource(): string {
      return 'hidden';
    }

    @RequireScope('desk:secret')
    @Resource({ uri: 'desk://scoped', name: 'scoped', visible })
    scopedResource(): string {
      return 'scoped';
    }

    @ResourceTemplate({ uriTemplate: 'shown://{id}', name: 'shown' })
    shownTemplate(): string {
      return 'shown';
    }

    @ResourceTemplate({ uriTemplate: 'item://{id}', name: 'hidden', visible })
    hiddenTemplate(): string {
      return 'hidden';
    }

    @Complete({ resourceTemplate: 'item://{id}', argument: 'id' })
    completeId(): string[] {
      return ['secret'];
    }
  }
  return HiddenDesk;
}

/** Says by which claim a handler is seen. */
export const Role = (role: string): MethodDecorator & ClassDecorator => SetMetadata('role', role);

/** Shows handlers by the roles that their decorators name. */
@Injectable()
export class RoleVisibility implements HandlerVisibility {
  readonly asked: string[] = [];

  constructor(private readonly reflector: Reflector) {}

  isVisible({ kind, name, classRef, method }: VisibleHandler, { auth }: VisibilityContext): boolean {
    this.asked.push(`${kind} ${name}`);
    const places = [method, classRef].filter((place) => place !== undefined) as unknown as (() => void)[];
    const role: unknown = this.reflector.getAllAndOverride('role', places);
    return role === undefined || auth.claims?.sub === role;
  }
}
