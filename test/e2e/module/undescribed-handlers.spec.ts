import { describe, expect, it } from '@jest/globals';
import { Body, Injectable, Param } from '@nestjs/common';
import { IsString } from 'class-validator';
import { Arguments, Context, McpModule, Prompt, Tool, type McpContext } from 'nestjs-mcp';
import { bootFailure } from '../../support/applications/boot-failure.js';
import { bootServer } from '../../support/applications/server.js';
import { RecordedLog } from '../../support/records/recorded-log.js';
import type { PlaceDto } from './place.dto.js';

class TicketDto {
  @IsString()
  title!: string;
}

class OtherDto {
  @IsString()
  title!: string;
}

class UndecoratedDto {
  title!: string;
}

describe('A handler with a parameter that nothing describes', () => {
  @Injectable()
  class UndescribedTools {
    @Tool()
    untyped(given: { title: string }): string {
      return JSON.stringify(given);
    }

    @Tool()
    primitive(title: string): string {
      return title;
    }

    @Tool()
    undecorated(given: UndecoratedDto): string {
      return given.title;
    }

    @Tool()
    contextual(context: McpContext): string {
      return context.method;
    }

    @Tool()
    defaulted(given: object = {}): string {
      return JSON.stringify(given);
    }

    @Tool()
    whole(@Arguments() given: object): string {
      return JSON.stringify(given);
    }

    @Tool()
    named(@Arguments('title') title: string): string {
      return title;
    }

    @Tool()
    divided(@Param('id') id: string, @Body() ticket: TicketDto): string {
      return `${id} ${ticket.title}`;
    }

    @Prompt()
    prompt(given: object): string {
      return JSON.stringify(given);
    }
  }

  @Injectable()
  class DescribedTools {
    @Tool()
    empty(): string {
      return 'x';
    }

    @Tool()
    unused(_given: unknown, context: McpContext): string {
      return context.method;
    }

    @Tool()
    async contextOnly(@Context() context: McpContext): Promise<string> {
      return context.method;
    }

    @Tool({ inputSchema: { type: 'object' } })
    described(given: object): string {
      return JSON.stringify(given);
    }

    @Prompt({ arguments: [{ name: 'title' }] })
    prompt(given: object): string {
      return JSON.stringify(given);
    }
  }

  async function warningsOf(provider: new () => object): Promise<readonly string[]> {
    const log = new RecordedLog();
    const desk = await bootServer({ providers: [provider], nest: { logger: log, abortOnError: false } });
    await desk.close();
    return log.find('warn');
  }

  it('is warned of once, with its place and the fix (NEST-02)', async () => {
    const warnings = await warningsOf(UndescribedTools);
    const names = ['untyped', 'primitive', 'contextual', 'defaulted', 'whole'];
    const parts = ['named', 'divided'];
    expect(warnings).toHaveLength(names.length + parts.length + 2);
    for (const name of names) {
      const [warning, another] = warnings.filter((text) =>
        text.includes(`@Tool() on "UndescribedTools.${name}"`),
      );
      expect(warning).toMatch(/set "inputSchema", .* a DTO class .* @Context\(\) .* "_"/);
      expect(another).toBeUndefined();
    }
    for (const name of parts) {
      const warning = warnings.find((text) => text.includes(`@Tool() on "UndescribedTools.${name}"`));
      expect(warning).toMatch(/individual arguments.*set "inputSchema"/);
    }
    expect(warnings.find((text) => text.includes('"UndescribedTools.undecorated"'))).toMatch(
      /has the type "UndecoratedDto".*decorate its properties, or set "inputSchema"/,
    );
    expect(warnings.at(-1)).toMatch(/@Prompt\(\) on "UndescribedTools\.prompt".*set "arguments"/);
  });

  it('is warned of with the cause if its class is imported as a type (APP-04)', async () => {
    @Injectable()
    class ErasedTools {
      @Tool()
      erased({ town }: PlaceDto): string {
        return town;
      }

      @Tool()
      body(@Param('id') id: string, @Body() { town }: PlaceDto): string {
        return `${id} ${town}`;
      }

      @Tool()
      text(town: string): string {
        return town;
      }
    }
    const [erased, body, text] = await warningsOf(ErasedTools);
    expect(erased).toContain(
      'use a DTO class as its type with a plain "import" ("import type" reduces it to "Object")',
    );
    expect(body).toContain('"import type" reduces it to "Object"');
    expect(text).not.toContain('import');
  });

  it('is warned of with the setting of the compiler if no types were written at all (APP-04)', async () => {
    @Injectable()
    class UntypedTools {
      @Tool()
      open({ title }: TicketDto): string {
        return title;
      }

      @Tool()
      close(@Param('id') id: string, @Body() ticket: TicketDto): string {
        return `${id} ${ticket.title}`;
      }

      @Tool()
      empty(): string {
        return 'x';
      }

      @Tool()
      unused(_arguments: unknown, context: McpContext): string {
        return context.method;
      }
    }
    // As esbuild, and SWC without "decoratorMetadata", leave a class.
    for (const name of ['open', 'close', 'empty', 'unused']) {
      Reflect.deleteMetadata('design:paramtypes', UntypedTools.prototype, name);
    }
    const warnings = await warningsOf(UntypedTools);
    expect(warnings).toHaveLength(2);
    for (const warning of warnings) {
      expect(warning).toMatch(
        /"emitDecoratorMetadata": true in tsconfig\.json, or "decoratorMetadata": true in \.swcrc; esbuild, tsx and Vitest/,
      );
      expect(warning).toContain('or set "inputSchema"');
      expect(warning).not.toContain('use a DTO class as its type');
    }
  });

  it('keeps the application from starting if its parameters make two classes of the arguments (NEST-02)', async () => {
    @Injectable()
    class TwoClasses {
      @Tool()
      change(@Param() id: TicketDto, @Body() ticket: OtherDto): string {
        return `${id.title} ${ticket.title}`;
      }
    }
    const { message } = await bootFailure({
      imports: [McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } })],
      providers: [TwoClasses],
    });
    expect(message).toBe(
      '@Tool() on "TwoClasses.change": The parameters convert the arguments to "TicketDto", "OtherDto", but only one class can describe them: set "inputSchema" to a class with the properties of all of them, such as "IntersectionType(TicketDto, OtherDto)" from "@nestjs/mapped-types"',
    );
  });

  it('is no such where it takes nothing, uses nothing or is described (NEST-02)', async () => {
    expect(await warningsOf(DescribedTools)).toEqual([]);
  });
});
