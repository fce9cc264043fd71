import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Headers, Logger, UseInterceptors, type Type } from '@nestjs/common';
import { Ctx, Payload, TcpContext } from '@nestjs/microservices';
import { z } from 'zod';
import { Arguments, Context } from '../../../../../lib/server/decorators/parameter.decorators.js';
import { Complete, Prompt, Resource, Tool } from '../../../../../lib/server/decorators/handler.decorators.js';
import { recordWarnings } from '../record-warnings.js';

const inputSchema = z.object({ city: z.string() });

class Database {}

interface GivenContext {
  readonly method: string;
}

@Controller()
class Undecorated {
  @Tool({ inputSchema })
  between(@Arguments() _given: object, database: Database, @Context() _context: GivenContext) {
    return typeof database;
  }

  @Tool({ inputSchema })
  behind(@Arguments() _given: object, database?: Database) {
    return typeof database;
  }
}

@Controller()
class OfMicroservices {
  @Tool({ inputSchema })
  tool(@Payload() _given: object, @Ctx() ctx: GivenContext) {
    return ctx.method;
  }

  @Resource({ uri: 'desk://hours' })
  resource(@Ctx() { method }: TcpContext & GivenContext) {
    return method;
  }

  @Prompt({ arguments: inputSchema })
  prompt(@Ctx() rpc: TcpContext) {
    return rpc.getPattern();
  }

  @Complete({ prompt: 'prompt', argument: 'city' })
  completion(@Arguments('value') value: string, @Ctx() context: GivenContext) {
    return [value, context.method];
  }
}

@Controller()
class OfRoutes {
  @Tool({ inputSchema })
  headers(@Headers() headers: Record<string, string>) {
    return headers;
  }

  @Tool({ inputSchema })
  header(@Headers('x-context') context: string) {
    return context;
  }

  @Get('route')
  @Tool()
  route(@Headers() context: Record<string, string>) {
    return context;
  }
}

@Controller()
class Generators {
  @Tool()
  *values() {
    yield 'a';
  }

  @Tool()
  async *later() {
    yield 'a';
  }

  @Prompt()
  async *prompt() {
    yield 'a';
  }

  @Resource({ uri: 'desk://values' })
  *resource() {
    yield 'a';
  }

  @Resource({ uri: 'desk://stream' })
  async *stream() {
    yield 'a';
  }
}

const collects = { intercept: (_: unknown, next: { handle: () => never }) => next.handle() };

@Controller()
class Intercepted {
  @Tool()
  @UseInterceptors(collects)
  *values() {
    yield 'a';
  }
}

describe('A handler that is written for something else', () => {
  afterEach(() => Logger.overrideLogger(false));

  async function warn(controller: Type) {
    const lines = await recordWarnings({ controllers: [controller] });
    return lines.map((line) => line.replace(/ Mcp$/, ''));
  }

  it('is warned of if nothing fills a parameter of some class before others (MOD-11)', async () => {
    expect(await warn(Undecorated)).toEqual([
      '@Tool() on "Undecorated.between" has no decorator on the parameter at index [1], so it receives nothing: put @Context() or @Arguments() before it, or give it a default value',
    ]);
  });

  it('is warned of if it has "@Ctx()" of microservices, which is "@Headers()" to Nest (MOD-11)', async () => {
    const at = (place: string, index: number) =>
      `${place}" has @Ctx() from "@nestjs/microservices" on the parameter at index [${index}], so it receives the HTTP headers: use @Context() instead`;
    expect(await warn(OfMicroservices)).toEqual([
      at('@Tool() on "OfMicroservices.tool', 1),
      at('@Prompt() on "OfMicroservices.prompt', 0),
      at('@Complete() on "OfMicroservices.completion', 1),
    ]);
  });

  it('is not warned of if it has "@Headers()" for headers, or is a route (MOD-11)', async () => {
    expect(await warn(OfRoutes)).toEqual([]);
  });

  it('is warned of if it is a generator that gives no stream (MOD-11)', async () => {
    const at = (place: string) =>
      `${place}" is a generator function, whose result cannot be sent: collect the values in an array, and return that`;
    expect(await warn(Generators)).toEqual([
      at('@Tool() on "Generators.values'),
      at('@Tool() on "Generators.later'),
      at('@Prompt() on "Generators.prompt'),
      at('@Resource() on "Generators.resource'),
    ]);
  });

  it('is not warned of if an interceptor takes what the generator gives (MOD-11)', async () => {
    expect(await warn(Intercepted)).toEqual([]);
  });
});
