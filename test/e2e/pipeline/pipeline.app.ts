import {
  applyDecorators,
  Catch,
  Injectable,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
  type PipeTransform,
  type Provider,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { map } from 'rxjs';
import {
  Complete,
  McpExecutionContext,
  McpModule,
  Prompt,
  Resource,
  ResourceTemplate,
  Tool,
  type McpContext,
} from 'nestjs-mcp';
import { bootApp } from '../../support/applications/boot.js';
import { initialize, type SessionClient } from '../../support/clients/json-rpc.js';
import type { Answer } from '../../support/clients/call.js';

/** What a request asks the pipeline to do, by a header. */
export type Order = 'refuse' | 'fail' | undefined;

class Failure extends Error {}

const readOrder = (context: McpContext) => context.http?.headers['x-order'];
const wrap = (value: unknown) =>
  Array.isArray(value) ? value.map((item) => `intercepted ${item}`) : `intercepted ${String(value)}`;

/** Enhancers act on MCP calls alone: as global ones they see the HTTP request at the controller too. */
@Injectable()
class OrderGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (context.getType<string>() !== 'mcp') return true;
    return readOrder(McpExecutionContext.create(context).getContext()) !== 'refuse';
  }
}

@Injectable()
class WrapInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler) {
    return context.getType<string>() === 'mcp' ? next.handle().pipe(map(wrap)) : next.handle();
  }
}

@Injectable()
class MarkPipe implements PipeTransform {
  transform(value: unknown) {
    return typeof value === 'object' ? { ...value, mark: 'piped' } : value;
  }
}

@Catch(Failure)
class FailureFilter implements ExceptionFilter<Failure> {
  catch(_failure: Failure, host: ArgumentsHost) {
    return McpExecutionContext.create(host).getContext().method === 'completion/complete'
      ? ['filtered']
      : 'filtered';
  }
}

function answer(args: object, context: McpContext): string {
  if (readOrder(context) === 'fail') throw new Failure('the handler failed');
  return 'mark' in args ? String(args.mark) : 'plain';
}

function createHandlers(onClass: ClassDecorator, onMethod: MethodDecorator): Provider {
  @onClass
  @Injectable()
  class Handlers {
    @onMethod
    @Tool()
    tool(args: object, context: McpContext) {
      return answer(args, context);
    }

    @onMethod
    @Resource({ uri: 'desk://open' })
    resource(args: object, context: McpContext) {
      return answer(args, context);
    }

    @onMethod
    @ResourceTemplate({ uriTemplate: 'ticket://{id}' })
    template(args: object, context: McpContext) {
      return answer(args, context);
    }

    @onMethod
    @Prompt({ arguments: [{ name: 'name' }] })
    prompt(args: object, context: McpContext) {
      return answer(args, context);
    }

    @onMethod
    @Complete({ prompt: 'prompt', argument: 'name' })
    complete(args: object, context: McpContext) {
      return [answer(args, context)];
    }
  }
  return Handlers;
}

const enhance = applyDecorators(
  UseGuards(OrderGuard),
  UseInterceptors(WrapInterceptor),
  UsePipes(MarkPipe),
  UseFilters(FailureFilter),
);
const leave: ClassDecorator & MethodDecorator = () => undefined;
const GLOBAL_ENHANCERS: Provider[] = [
  { provide: APP_GUARD, useClass: OrderGuard },
  { provide: APP_INTERCEPTOR, useClass: WrapInterceptor },
  { provide: APP_PIPE, useClass: MarkPipe },
  { provide: APP_FILTER, useClass: FailureFilter },
];

/** Where the enhancers of an application stand. */
export const PLACES = {
  global: { handlers: createHandlers(leave, leave), globals: GLOBAL_ENHANCERS, globalEnhancers: true },
  class: { handlers: createHandlers(enhance, leave), globals: [], globalEnhancers: false },
  method: { handlers: createHandlers(leave, enhance), globals: [], globalEnhancers: false },
  'global without "globalEnhancers"': {
    handlers: createHandlers(leave, leave),
    globals: GLOBAL_ENHANCERS,
    globalEnhancers: false,
  },
};

/** Starts the application whose enhancers stand there. */
export function bootPipeline(place: keyof typeof PLACES) {
  const { handlers, globals, globalEnhancers } = PLACES[place];
  const serverInfo = { name: 'pipeline', version: '1.0.0' };
  return bootApp({
    imports: [McpModule.forRoot({ serverInfo, globalEnhancers })],
    providers: [handlers, ...globals],
  });
}

const REQUESTS = {
  tool: ['tools/call', { name: 'tool' }],
  resource: ['resources/read', { uri: 'desk://open' }],
  template: ['resources/read', { uri: 'ticket://7' }],
  prompt: ['prompts/get', { name: 'prompt' }],
  completion: [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'prompt' }, argument: { name: 'name', value: '' } },
  ],
} as const;

/** What a method can be decorated to be. */
export type Kind = keyof typeof REQUESTS;

export const KINDS = Object.keys(REQUESTS) as Kind[];

/** Opens a session whose calls tell by their text what the pipeline did to them. */
export async function openPipeline(url: string) {
  const session = await initialize(url);
  return (kind: Kind, order?: Order) => call(session, kind, order);
}

async function call(session: SessionClient, kind: Kind, order: Order): Promise<string> {
  const [method, params] = REQUESTS[kind];
  const answered = await session.request(method, params, order === undefined ? {} : { 'x-order': order });
  return findText(answered);
}

/** Reads the text of a result of any kind, or of the failure. */
function findText({ result, error }: Answer): string {
  if (error !== undefined) return `error ${error.code}: ${error.message}`;
  const [text] = JSON.stringify(result).match(/(?<="text":")[^"]*|(?<="values":\[")[^"]*/) ?? ['nothing'];
  return result?.['isError'] === true ? `isError: ${text}` : text;
}
