import {
  Controller,
  createParamDecorator,
  ForbiddenException,
  Injectable,
  Logger,
  ParseIntPipe,
  SetMetadata,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  ValidationPipe,
  type ArgumentMetadata,
  type ArgumentsHost,
  type ExecutionContext,
  type PipeTransform,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { IsInt } from 'class-validator';
import { McpExecutionContext } from '../../../../../lib/server/catalog/invocation/execution-context.js';
import { Arguments, Context } from '../../../../../lib/server/decorators/parameter.decorators.js';
import { Tool } from '../../../../../lib/server/decorators/handler.decorators.js';
import { bootCatalog, buildContext, type RunningCatalog } from '../boot-catalog.js';

const Caller = createParamDecorator((field: string, context: ExecutionContext) => {
  const call = McpExecutionContext.create(context);
  return [context.getType<string>(), field, call.getArguments(), call.getContext().id];
});

class AgeDto {
  @IsInt()
  age!: number;
}

@Injectable()
class MarkPipe implements PipeTransform {
  transform(value: unknown, { type, data }: ArgumentMetadata) {
    return { marked: value, type, data };
  }
}

@Injectable()
class Rules {
  readonly word = 'please';
}

@Injectable()
class WordGuard {
  constructor(
    private readonly rules: Rules,
    private readonly reflector: Reflector,
  ) {}

  canActivate(context: ExecutionContext) {
    const word = this.reflector.getAllAndOverride<string | undefined>('word', [
      context.getHandler(),
      context.getClass(),
    ]);
    return McpExecutionContext.create(context).getArguments()['word'] === (word ?? this.rules.word);
  }
}

@Injectable()
class EnhancedTools {
  @UseGuards(WordGuard)
  @Tool()
  guarded() {
    return 'in';
  }

  @UseGuards(WordGuard)
  @SetMetadata('word', 'now')
  @Tool()
  guardedByMetadata() {
    return 'in';
  }

  @UsePipes(MarkPipe)
  @Tool()
  piped(...received: unknown[]) {
    return received;
  }

  @UsePipes(MarkPipe)
  @Tool()
  pipedParameters(@Context() context: unknown, @Arguments('id') id: unknown) {
    return [context, id];
  }

  @Tool()
  parsed(@Arguments('id', ParseIntPipe) id: number) {
    return id;
  }

  @UsePipes(new ValidationPipe({ transform: true }))
  @Tool()
  validated(@Arguments() { age }: AgeDto, @Context() _context: object) {
    return age;
  }

  @Tool()
  custom(@Caller('field') caller: unknown) {
    return caller;
  }

  @UseFilters({ catch: (error: Error, host: ArgumentsHost) => [error.message, host.getType<string>()] })
  @Tool()
  filtered() {
    throw new Error('no');
  }

  @UseFilters({ catch: () => undefined })
  @Tool()
  passedOn() {
    throw new Error('passed on');
  }

  @UseFilters({ catch: async () => undefined })
  @Tool()
  swallowed() {
    throw new Error('swallowed');
  }
}

describe('Enhancers on a handler', () => {
  let running: RunningCatalog;

  beforeAll(async () => {
    running = await bootCatalog({ providers: [EnhancedTools, Rules] });
  });

  it('have what they inject, and see arguments, handler and class (MOD-03)', async () => {
    expect(await running.call('guarded', { word: 'please' })).toBe('in');
    await expect(running.call('guarded', { word: 'now' })).rejects.toThrow(ForbiddenException);
    expect(await running.call('guardedByMetadata', { word: 'now' })).toBe('in');
  });

  it('include pipes for the arguments, never for the context (MOD-03)', async () => {
    const [args, context] = [{ id: 7 }, buildContext()];
    const marked = { marked: args, type: 'body', data: undefined };
    expect(await running.call('piped', args, context)).toEqual([marked, context]);
    expect(await running.call('pipedParameters', args, context)).toEqual([
      context,
      { marked: 7, type: 'body', data: 'id' },
    ]);
  });

  it('include pipes of one parameter (MOD-03)', async () => {
    expect(await running.call('parsed', { id: '7' })).toBe(7);
    await expect(running.call('parsed', { id: 'seven' })).rejects.toThrow('numeric string is expected');
  });

  it('include Nest’s ValidationPipe with a DTO (MOD-03)', async () => {
    expect(await running.call('validated', { age: 7 })).toBe(7);
    await expect(running.call('validated', { age: 'seven' })).rejects.toThrow('Bad Request');
  });

  it('include decorators made by createParamDecorator() (MOD-03)', async () => {
    const args = { id: 7 };
    expect(await running.call('custom', args)).toEqual(['mcp', 'field', args, 1]);
  });

  it('include filters, whose value is the handler’s (MOD-03)', async () => {
    expect(await running.call('filtered')).toEqual(['no', 'mcp']);
    expect(await running.call('swallowed')).toBeUndefined();
  });

  it('pass on, without a word in the log, what no filter takes (MOD-03)', async () => {
    const log = jest.spyOn(Logger.prototype, 'error');
    await expect(running.call('passedOn')).rejects.toThrow('passed on');
    await expect(running.call('guarded')).rejects.toThrow(ForbiddenException);
    expect(log).not.toHaveBeenCalled();
  });
});

describe('A class of handlers', () => {
  class Desk {
    constructor(readonly word: string) {}
    @UseGuards(WordGuard)
    @Tool()
    open() {
      return this.word;
    }
  }

  it('has its guards as a controller too (MOD-03)', async () => {
    @Controller()
    @UseGuards(WordGuard)
    class DeskController {
      @Tool()
      open() {
        return 'open';
      }
    }
    const { call } = await bootCatalog({ controllers: [DeskController], providers: [Rules] });
    expect(await call('open', { word: 'please' })).toBe('open');
    await expect(call('open')).rejects.toThrow(ForbiddenException);
  });

  it('has its guards behind a token too (MOD-03)', async () => {
    @Injectable()
    class PlainDesk extends Desk {
      constructor() {
        super('open');
      }
    }
    const { call } = await bootCatalog({ providers: [{ provide: 'desk', useClass: PlainDesk }, Rules] });
    expect(await call('open', { word: 'please' })).toBe('open');
    await expect(call('open')).rejects.toThrow(ForbiddenException);
  });

  it('does not start where Nest would skip a guard (MOD-03) (MOD-11)', async () => {
    const desk = { provide: 'desk', useFactory: () => new Desk('open') };
    await expect(bootCatalog({ providers: [desk, Rules] })).rejects.toThrow(
      '@Tool() on "Desk.open": Nest cannot create the enhancer "WordGuard" here and would skip it: provide the class itself',
    );
  });

  it('does not start where Nest would skip a pipe of a parameter (MOD-03) (MOD-11)', async () => {
    class Parsing {
      @Tool()
      parse(@Arguments('id', ParseIntPipe) id: number) {
        return id;
      }
    }
    await expect(
      bootCatalog({ providers: [{ provide: 'parsing', useValue: new Parsing() }] }),
    ).rejects.toThrow('@Tool() on "Parsing.parse": Nest cannot create the enhancer "ParseIntPipe" here');
  });

  it('has enhancers that are instances however it is provided (MOD-03)', async () => {
    class Strict {
      @UseGuards({ canActivate: () => false })
      @UseInterceptors()
      @Tool()
      open() {
        return 'open';
      }
    }
    const { call } = await bootCatalog({ providers: [{ provide: 'strict', useValue: new Strict() }] });
    await expect(call('open')).rejects.toThrow(ForbiddenException);
  });
});
