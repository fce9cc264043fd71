import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable, Logger, type Type } from '@nestjs/common';
import { IsString } from 'class-validator';
import { z } from 'zod';
import { Arguments, Context } from '../../../../../lib/server/decorators/parameter.decorators.js';
import {
  Prompt,
  Resource,
  ResourceTemplate,
  Tool,
} from '../../../../../lib/server/decorators/handler.decorators.js';
import { recordWarnings } from '../record-warnings.js';

const inputSchema = z.object({ city: z.string() });

class Undecorated {
  city!: string;
}

class Decorated extends Undecorated {
  @IsString()
  declare city: string;
}

class Inheriting extends Decorated {}

@Injectable()
class Plain {
  @Tool({ inputSchema })
  text(city: string) {
    return city;
  }

  @Tool({ inputSchema })
  async list(cities: string[], @Context() _context: object) {
    return cities;
  }

  @Prompt({ arguments: inputSchema })
  since(day: Date) {
    return String(day);
  }
}

@Injectable()
class Untold {
  @Tool()
  look(given: Undecorated) {
    return given.city;
  }
}

@Injectable()
class Templates {
  @ResourceTemplate({ uriTemplate: 'a://:id' })
  one() {}

  @ResourceTemplate({ uriTemplate: 'a://list' })
  all() {}
}

@Injectable()
class Numbers {
  @Prompt({ arguments: z.object({ n: z.number() }) })
  count() {}

  @Prompt({ arguments: z.object({ m: z.boolean().optional() }) })
  choose() {}
}

@Injectable()
class Right {
  @Tool({ inputSchema })
  named(@Arguments('city') city: string) {
    return city;
  }

  @Tool({ inputSchema })
  whole(given: object) {
    return given;
  }

  @Tool({ inputSchema })
  typed(given: Undecorated) {
    return given.city;
  }

  @Tool({ inputSchema })
  unused(_city: string) {}

  @Tool()
  decorated(given: Decorated) {
    return given.city;
  }

  @Tool()
  inheriting(given: Inheriting) {
    return given.city;
  }

  @Resource({ uri: 'desk://hours' })
  hours(uri: string) {
    return uri;
  }

  @ResourceTemplate({ uriTemplate: 'desk://{id}' })
  one(id: string) {
    return id;
  }

  @Prompt({
    arguments: z.object({
      days: z.coerce.number(),
      isLong: z.stringbool().optional(),
      parsed: z.preprocess(Number, z.number()),
      since: z.date().optional(),
      topic: z.string().default('rain'),
    }),
  })
  summarise() {}
}

describe('A handler that its callers cannot use as it is written', () => {
  afterEach(() => Logger.overrideLogger(false));

  const warn = (provider: Type) => recordWarnings({ providers: [provider] });

  it('is warned of if its parameter is one value, and it gets an object or nothing (MOD-11)', async () => {
    expect(await warn(Plain)).toEqual([
      '"Plain.text" expects a String, but receives all arguments as an object: use @Arguments("city"), or accept an object Mcp',
      '"Plain.list" expects an Array, but receives nothing: use @Arguments("cities"), or accept an object Mcp',
      '"Plain.since" expects a Date, but receives all arguments as an object: use @Arguments("day"), or accept an object Mcp',
    ]);
  });

  it('is warned of if the class of its parameter describes nothing (MOD-11)', async () => {
    expect(await warn(Untold)).toEqual([
      'The parameter of "Untold.look" has the type "Undecorated", a class without class-validator decorators, so it receives no arguments: decorate its properties, or set "inputSchema" Mcp',
    ]);
  });

  it('is warned of if its URI template has no variable (MOD-11)', async () => {
    expect(await warn(Templates)).toEqual([
      '"a://:id" has no variable: use "a://{id}" Mcp',
      '"a://list" has no variable: add one such as "{id}", or use @Resource() Mcp',
    ]);
  });

  it('is warned of if it is a prompt with arguments that are no strings (MOD-11)', async () => {
    const rest =
      'but prompt arguments are always strings: use a schema that converts it, such as "z.coerce.number()" Mcp';
    expect(await warn(Numbers)).toEqual([
      `@Prompt() on "Numbers.count" requires its argument "n" to be "number", ${rest}`,
      `@Prompt() on "Numbers.choose" requires its argument "m" to be "boolean", ${rest}`,
    ]);
  });

  it('is nothing else (MOD-11)', async () => {
    expect(await warn(Right)).toEqual([]);
  });
});
