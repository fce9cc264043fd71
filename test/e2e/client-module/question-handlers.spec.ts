import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  Injectable,
  Scope,
  UseGuards,
  UseInterceptors,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type {
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitRequestFormParams,
  ElicitResult,
  Root,
} from '@modelcontextprotocol/client';
import { McpElicitation, McpRoots, McpSampling, type McpQuestionContext } from 'nestjs-mcp/client-module';
import { map, type Observable } from 'rxjs';
import { BookingHandlers } from '../input-requests/booking.app.js';
import { bootCustomer, bootShop, WIRES, type Customer, type RunningShop } from './shop.app.js';

const asked: string[] = [];

@Injectable()
class Louder implements NestInterceptor<CreateMessageResult> {
  intercept(context: ExecutionContext, next: CallHandler): Observable<CreateMessageResult> {
    asked.push(`${context.getType()} ${context.getHandler().name}`);
    const written = [context.switchToHttp().getRequest(), context.switchToWs().getClient()];
    asked.push(`request and client: ${written.map((one) => typeof one).join(', ')}`);
    return next.handle().pipe(map((result: CreateMessageResult) => ({ ...result, model: 'LOUD' })));
  }
}

@Injectable()
class NotForPay implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return !('url' in context.getArgByIndex<object>(0));
  }
}

/** As the pages of Nest write a guard of the user; whatever a server asks has "message". */
@Injectable()
class KnownVisitors implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<{ readonly message?: string } | undefined>();
    return request?.message !== undefined;
  }
}

@Injectable()
class Gatekeeper {
  @McpElicitation()
  @UseGuards(KnownVisitors)
  answer(): ElicitResult {
    asked.push('let in');
    return { action: 'accept', content: { name: 'Ada' } };
  }
}

@Injectable()
class Clerk {
  @McpElicitation({ url: true })
  @UseGuards(NotForPay)
  answer(params: ElicitRequestFormParams, { client }: McpQuestionContext): ElicitResult {
    asked.push(`${client}: ${params.message}`);
    return params.message === 'Who comes?'
      ? { action: 'accept', content: { name: 'Ada' } }
      : { action: 'accept', content: { nights: 3, room: 'single', extras: [] } };
  }

  @McpSampling('shop')
  @UseInterceptors(Louder)
  async complete(params: CreateMessageRequestParams): Promise<CreateMessageResult> {
    const text = `at most ${params.maxTokens} tokens`;
    return { model: 'parrot', role: 'assistant', content: { type: 'text', text } };
  }
}

@Injectable({ scope: Scope.REQUEST })
class Folders {
  @McpRoots()
  list(): Root[] {
    return [{ uri: 'file:///srv/reports', name: 'reports' }];
  }
}

@Injectable()
class Careless {
  @McpElicitation()
  answer(): never {
    throw new Error('the secret is 42');
  }
}

const textOf = (result: { readonly content: readonly unknown[] }) =>
  (result.content[0] as { readonly text?: string } | undefined)?.text;

describe.each(WIRES)('Questions of servers (%j)', (negotiation) => {
  let server: RunningShop;
  let customer: Customer | undefined;

  beforeEach(async () => {
    asked.length = 0;
    server = await bootShop({}, [BookingHandlers]);
  });
  afterEach(async () => {
    await customer?.app.close();
    await server.close();
  });

  const boot = async (...providers: Parameters<typeof bootCustomer>[1] & object) => {
    customer = await bootCustomer({ url: server.url, negotiation }, providers);
    return customer.client;
  };

  it('are answered by decorated methods, as often as a call asks (CLI-18)', async () => {
    const client = await boot(Clerk);
    const result = await client.callTool('book', { city: 'Berlin' });
    expect(textOf(result)).toBe('Ada: 3 nights, single, nothing more');
    expect(asked).toEqual(['shop: How long in Berlin?', 'shop: Who comes?']);
  });

  it('to the model run through the interceptors of the method (CLI-18)', async () => {
    const client = await boot(Clerk, Louder);
    const result = await client.callTool('greet');
    expect(textOf(result)).toBe('LOUD: at most 20 tokens');
    expect(asked).toEqual(['mcp-client complete', 'request and client: undefined, undefined']);
  });

  it('for roots are answered by a request-scoped provider (CLI-18)', async () => {
    const client = await boot(Folders);
    expect(textOf(await client.callTool('folders'))).toBe('reports');
  });

  it('are declared only where somebody answers them (CLI-18)', async () => {
    const client = await boot(Folders);
    const call = client.callTool('book', { city: 'Berlin' });
    const outcome = await call.catch((error: unknown) => error);
    expect(outcome).toMatchObject(
      negotiation === 'legacy' ? { isError: true } : { code: 'capability_missing' },
    );
  });

  it('that a guard does not let pass fail, and the server is not told why (CLI-18)', async () => {
    const client = await boot(Clerk);
    const outcome = await client.callTool('pay').catch((error: unknown) => error);
    expect(asked).toEqual([]);
    expect(JSON.stringify(outcome)).not.toContain('Forbidden');
  });

  it('are not what a guard takes for a request (CLI-18)', async () => {
    const client = await boot(Gatekeeper);
    await client.callTool('book', { city: 'Berlin' }).catch(() => undefined);
    expect(asked).toEqual([]);
  });

  it('keep from the server how a handler failed (CLI-18)', async () => {
    const client = await boot(Careless);
    const outcome = await client.callTool('book', { city: 'Berlin' }).catch((error: unknown) => error);
    expect(JSON.stringify(outcome)).not.toContain('secret');
  });
});
