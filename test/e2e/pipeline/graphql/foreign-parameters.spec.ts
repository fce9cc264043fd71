import { Controller, Get, HostParam, Injectable, SetMetadata, type Type } from '@nestjs/common';
import {
  Args,
  Context,
  Info,
  Parent,
  Query,
  ResolveField,
  Resolver,
  ResolveReference,
  Root,
} from '@nestjs/graphql';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { Ack, ConnectedSocket, MessageBody, SubscribeMessage, WebSocketGateway } from '@nestjs/websockets';
import { Test, type TestingModule } from '@nestjs/testing';
import { describe, expect, it } from '@jest/globals';
import { McpModule, Tool } from 'nestjs-mcp';
import { McpTestingModule } from 'nestjs-mcp/testing';
import { z } from 'zod';
import { bootFailure } from '../../../support/applications/boot-failure.js';
import { bootServer } from '../../../support/applications/server.js';
import { callTool } from '../tool-text.js';

const serverInfo = { name: 'desk', version: '1.0.0' };

class Team {
  id!: string;
}

/** Makes a class with one handler, whose parameter at index 1 has the decorator. */
function buildHandler(
  decorateClass: ClassDecorator,
  decorateMethod: MethodDecorator,
  decorate: ParameterDecorator,
): Type {
  class Desk {
    answer(_args: unknown, _given: unknown) {
      return 'answer';
    }
  }
  const descriptor = Object.getOwnPropertyDescriptor(Desk.prototype, 'answer') as PropertyDescriptor;
  Args()(Desk.prototype, 'answer', 0);
  decorate(Desk.prototype, 'answer', 1);
  decorateMethod(Desk.prototype, 'answer', descriptor);
  Tool({ inputSchema: z.object({}) })(Desk.prototype, 'answer', descriptor);
  decorateClass(Desk);
  return Desk;
}

const inResolver = Resolver(() => Team) as ClassDecorator;
const inGateway = WebSocketGateway();
const inController = Controller();
const inBot = SetMetadata('UPDATE_METADATA', true);

/** Written as nestjs-telegraf writes its own. */
const Sender: ParameterDecorator = (prototype, name = '', index) => {
  const { constructor } = prototype;
  const present: object = Reflect.getMetadata('__routeArguments__', constructor, name);
  const parameters = { ...present, [`2:${index}`]: { index, data: undefined, pipes: [] } };
  Reflect.defineMetadata('__routeArguments__', parameters, constructor, name);
};

const plain: MethodDecorator = () => undefined;

/** An application that listens nowhere: without an adapter for sockets, gateways would end the process. */
async function start(providers: Type[]): Promise<TestingModule> {
  const module = await Test.createTestingModule({
    imports: [McpModule.forRoot({ serverInfo })],
    providers,
  }).compile();
  module.useLogger(false);
  return module.init();
}

async function explain(desk: Type): Promise<Error> {
  return start([desk]).then(
    () => new Error('The application started though it should not'),
    (error: Error) => error,
  );
}

describe('A parameter decorator of another package, which writes where those of routes do', () => {
  it.each([
    [
      '@Parent() of "@nestjs/graphql", which only a resolver',
      inResolver,
      ResolveField(() => [Team]),
      Parent(),
    ],
    ['@Parent() of "@nestjs/graphql", which only a resolver', inResolver, ResolveField(() => [Team]), Root()],
    ['@Parent() of "@nestjs/graphql", which only a resolver', inResolver, ResolveReference(), Parent()],
    ['@Parent() of "@nestjs/graphql", which only a resolver', inResolver, plain, Parent()],
    ['@Context() of "@nestjs/graphql", which only a resolver', inResolver, Query(() => Team), Context('req')],
    ['@Info() of "@nestjs/graphql", which only a resolver', inResolver, Query(() => Team), Info()],
    [
      '@ConnectedSocket() of "@nestjs/websockets", which only a gateway',
      inGateway,
      SubscribeMessage('ask'),
      ConnectedSocket(),
    ],
    ['@ConnectedSocket() of "@nestjs/websockets", which only a gateway', inGateway, plain, ConnectedSocket()],
    ['@Ack() of "@nestjs/websockets", which only a gateway', inGateway, SubscribeMessage('ask'), Ack()],
    [
      '@Ctx() of "@nestjs/microservices", which only a message handler',
      inController,
      MessagePattern('ask'),
      Ctx(),
    ],
    [
      '@Sender() of "nestjs-telegraf", which only a bot',
      inBot,
      SetMetadata('LISTENERS_METADATA', []),
      Sender,
    ],
  ])('stops the start by its name: %s (NEST-08)', async (name, decorateClass, decorateMethod, decorate) => {
    const { message } = await explain(buildHandler(decorateClass, decorateMethod, decorate));
    expect(message).toContain(
      `@Tool() on "Desk.answer": The parameter at index [1] has ${name} can provide: `,
    );
  });

  it('is served if it is for what callers send (NEST-08)', async () => {
    @Resolver()
    class Resolved {
      @Query(() => String)
      @Tool({ inputSchema: z.object({ id: z.string() }) })
      resolved(@Args('id') id: string, @Args() all: object) {
        return { id, all };
      }
    }
    @WebSocketGateway()
    class Gateway {
      @SubscribeMessage('ask')
      @Tool({ inputSchema: z.object({ id: z.string() }) })
      received(@MessageBody('id') id: string, @MessageBody() all: object) {
        return { id, all };
      }
    }
    @Controller()
    class Messages {
      @MessagePattern('ask')
      @Tool({ inputSchema: z.object({ id: z.string() }) })
      handled(@Payload('id') id: string, @Payload() all: object) {
        return { id, all };
      }
    }
    const desk = await start([Resolved, Gateway, Messages]);
    const client = await McpTestingModule.createClient(desk);
    for (const name of ['resolved', 'received', 'handled']) {
      const { structuredContent } = await client.callTool({ name, arguments: { id: '7' } });
      expect(structuredContent).toEqual({ id: '7', all: { id: '7' } });
    }
    await client.close();
    await desk.close();
  });
});

describe('A method without parameter decorators, to which another package gives something else first', () => {
  it('stops the start, as what it took for the parent would be the arguments (NEST-08)', async () => {
    @Resolver(() => Team)
    class Desk {
      @ResolveField(() => [Team])
      @Tool({ inputSchema: z.object({ id: z.string() }) })
      answer(parent: Team) {
        return parent.id;
      }
    }
    const { message } = await explain(Desk);
    expect(message).toContain('index [0] has no decorator, so it is the parent in "@nestjs/graphql"');
    expect(message).toContain('put @Args() on the parameter that callers send');
  });

  it('stops the start, as what it took for the socket would be the arguments (NEST-08)', async () => {
    @WebSocketGateway()
    class Desk {
      @SubscribeMessage('ask')
      @Tool({ inputSchema: z.object({ id: z.string() }) })
      answer(client: object, data: { id: string }) {
        return [client, data.id];
      }
    }
    const { message } = await explain(Desk);
    expect(message).toContain('index [0] has no decorator, so it is the socket in "@nestjs/websockets"');
  });

  it('starts if it takes nothing (NEST-08)', async () => {
    @Resolver()
    class Desk {
      @Query(() => String)
      @Tool()
      answer() {
        return 'answer';
      }
    }
    const desk = await bootServer({ providers: [Desk] });
    expect(await callTool(desk.url, 'answer')).toMatchObject({ text: 'answer' });
    await desk.close();
  });
});

it('A parameter of the host stops the start where a route has one (NEST-08)', async () => {
  @Controller({ host: ':account.example.com' })
  class Desk {
    @Get()
    @Tool()
    answer(@HostParam('account') account: string) {
      return account;
    }
  }
  const { message } = await bootFailure({
    imports: [McpModule.forRoot({ serverInfo })],
    controllers: [Desk],
  });
  expect(message).toContain('The parameter at index [0] has @HostParam(), which only a route can provide: ');
});

it('A decorator of a plain provider is that of a route, as before (NEST-08)', async () => {
  const { Req } = await import('@nestjs/common');
  @Injectable()
  class Desk {
    @Tool()
    answer(@Req() request: { readonly method: string }) {
      return request.method;
    }
  }
  const desk = await bootServer({ providers: [Desk] });
  expect(await callTool(desk.url, 'answer')).toMatchObject({ text: 'POST' });
  await desk.close();
});
