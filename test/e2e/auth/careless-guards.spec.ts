import { describe, expect, it } from '@jest/globals';
import { Controller, Get, Injectable, UseGuards } from '@nestjs/common';
import { AuthError, McpAuthGuard, Public, RequireScope, type GuardedRequest } from 'nestjs-mcp';
import { ADAPTERS } from '../../support/applications/boot.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { authorize, bootDesk, CALLERS } from '../../support/applications/protected-desk.js';
import { sendHttp } from '../../support/clients/raw-http.js';

/** Takes a refusal for nobody in particular. */
@Injectable()
class SwallowingGuard extends McpAuthGuard {
  protected override authenticate(guarded: GuardedRequest): ReturnType<McpAuthGuard['authenticate']> {
    try {
      return super.authenticate(guarded);
    } catch {
      return undefined;
    }
  }
}

/** Refuses later, by a promise of a library. */
@Injectable()
class LaterGuard extends McpAuthGuard {
  protected override authenticate(): Promise<never> {
    const refusal = new AuthError(401, 'Unauthorized');
    const promise = {
      then: (_: unknown, reject: (error: unknown) => void) => queueMicrotask(() => reject(refusal)),
    };
    return promise as unknown as Promise<never>;
  }
}

function createController(guard: typeof McpAuthGuard) {
  @Controller('report')
  @UseGuards(guard)
  class ReportController {
    @Get()
    get(): string {
      return 'secret';
    }

    @Get('scoped')
    @RequireScope('desk:read')
    scoped(): string {
      return 'secret';
    }

    @Get('public')
    @Public()
    hours(): string {
      return '9 to 17';
    }
  }
  return ReportController;
}

describe.each(ADAPTERS)('A guard that extends ours without care on %s', (adapter) => {
  it.each([SwallowingGuard, LaterGuard])('lets nobody in without a token: %p (AUTH-01)', async (guard) => {
    const desk = await bootDesk(adapter, {
      controllers: [createController(guard)],
      options: { authGuard: guard },
    });
    for (const path of ['report', 'report/scoped']) {
      const { status, text } = await sendHttp(`${desk.origin}/${path}`);
      expect([path, status, text.includes('secret')]).toEqual([path, 401, false]);
    }
    const listed = await perRequest(desk.url).request('tools/list');
    expect([listed.status, listed.result]).toEqual([401, undefined]);
    await desk.close();
  });

  it('still opens what is public, and what a token opens (AUTH-01, STEP-06)', async () => {
    const desk = await bootDesk(adapter, { controllers: [createController(SwallowingGuard)] });
    expect((await sendHttp(`${desk.origin}/report/public`)).text).toBe('9 to 17');
    const headers = authorize(CALLERS.bob.token);
    expect((await sendHttp(`${desk.origin}/report/scoped`, { headers })).text).toBe('secret');
    await desk.close();
  });
});
