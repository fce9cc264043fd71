import { describe, expect, it } from '@jest/globals';
import {
  Catch,
  Injectable,
  Scope,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  ValidationPipe,
  type ExceptionFilter,
  type NestInterceptor,
  type Provider,
} from '@nestjs/common';
import { Skill } from 'nestjs-mcp';
import { failToStart } from './fail-to-start.js';

const description = 'Report';

describe('A skill that is made once', () => {
  class Interceptor implements NestInterceptor {
    intercept: NestInterceptor['intercept'] = (_context, next) => next.handle();
  }

  @Catch()
  class Filter implements ExceptionFilter {
    catch(): void {}
  }

  class Guard {
    canActivate = () => true;
  }

  const refused = async (decorator: ClassDecorator & MethodDecorator, isOfClass: boolean) => {
    class Skills {
      report() {
        return '';
      }
    }
    const method = Object.getOwnPropertyDescriptor(Skills.prototype, 'report')!;
    Injectable()(Skills);
    Skill({ description })(Skills.prototype, 'report', method);
    if (isOfClass) decorator(Skills);
    else decorator(Skills.prototype, 'report', method);
    return (await failToStart({}, [Skills])).message;
  };

  it.each([
    ['guards', UseGuards(Guard)],
    ['interceptors', UseInterceptors(Interceptor)],
    ['pipes', UsePipes(ValidationPipe)],
    ['filters', UseFilters(Filter)],
  ] as const)(
    'is refused with %s, on the method and on the class: they would not run (XTN-01)',
    async (kind, decorator) => {
      const text = `${kind} do not run for a skill that is generated once`;
      expect(await refused(decorator, false)).toContain(text);
      expect(await refused(decorator, true)).toContain(text);
    },
  );

  it.each<[string, () => Provider[]]>([
    [
      'is made for each request',
      () => {
        @Injectable({ scope: Scope.REQUEST })
        class Skills {
          @Skill({ description })
          report() {
            return '';
          }
        }
        return [Skills];
      },
    ],
    [
      'is made for each of its users',
      () => {
        @Injectable({ scope: Scope.TRANSIENT })
        class Skills {
          @Skill({ description })
          report() {
            return '';
          }
        }
        return [Skills];
      },
    ],
    [
      'needs what is made for each request',
      () => {
        @Injectable({ scope: Scope.REQUEST })
        class Caller {}

        @Injectable()
        class Skills {
          constructor(readonly caller: Caller) {}

          @Skill({ description })
          report() {
            return '';
          }
        }
        return [Caller, Skills];
      },
    ],
  ])('is refused if its class %s (XTN-01) (MOD-11)', async (_what, build) => {
    const { message } = await failToStart({}, build());
    expect(message).toContain('The skill at "Skills.report" cannot be served: "Skills" is not a singleton');
  });

  it('keeps the server from starting if its method rejects, and is called with its class (XTN-01)', async () => {
    @Injectable()
    class Skills {
      readonly reason = 'no database';

      @Skill({ description })
      async report(): Promise<string> {
        throw new Error(this.reason);
      }
    }
    const failure = await failToStart({}, [Skills]);
    expect(failure.message).toContain(
      'The skill at "Skills.report" cannot be served: the method failed: no database',
    );
    expect(failure.cause).toMatchObject({ message: 'no database' });
  });
});
