import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Tool } from 'nestjs-mcp';
import type { Observable } from 'rxjs';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { perRequest } from '../../support/clients/json-rpc.js';

interface Headers {
  setHeader(name: string, value: string): void;
}

@Injectable()
class VaryByTenant implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const response = context.switchToHttp().getResponse<Headers>();
    response.setHeader('Vary', 'X-Tenant');
    response.setHeader('Expires', 'Thu, 01 Jan 2099 00:00:00 GMT');
    return next.handle();
  }
}

class Desk {
  @UseInterceptors(VaryByTenant)
  @Tool()
  greet(): string {
    return 'hello';
  }
}

describe.each(ADAPTERS)('Headers that an interceptor sets on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    const options = { cors: { origins: ['https://app.example'] } };
    desk = await bootServer({ adapter, options, providers: [Desk] });
  });

  afterAll(() => desk.close());

  it('add to what the answer varies by, and say nothing of how long it counts (NEST-04)', async () => {
    const client = perRequest(desk.url, { headers: { origin: 'https://app.example' } });
    const { headers } = await client.request('tools/call', { name: 'greet', arguments: {} });
    expect(headers['vary']?.split(', ')).toEqual(expect.arrayContaining(['Origin', 'X-Tenant']));
    expect(headers['expires']).toBeUndefined();
  });
});
