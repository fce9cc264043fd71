import {
  type CanActivate,
  Injectable,
  Module,
  type NestInterceptor,
  type PipeTransform,
  Scope,
  type Type,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';
import { McpModule, Tool, type ToolOptions } from 'nestjs-mcp';

import { declareMethod } from './declare-method.js';
import {
  buildToolDescriptions,
  type SearchArguments,
  searchArguments,
  searchTickets,
  SERVER_INFO,
} from './fixtures.js';
import { serveNest } from './serve-nest.js';
import { type HandlerStyle, readSettings } from './serve.js';

// Our server, with one tool whose handler has what its style says.

const { handler: style = 'plain', variant } = readSettings();

@Injectable()
class AllowingGuard implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}

@Injectable()
class PassingInterceptor implements NestInterceptor {
  intercept: NestInterceptor['intercept'] = (_context, next) => next.handle();
}

@Injectable()
class PassingPipe implements PipeTransform {
  transform(value: unknown): unknown {
    return value;
  }
}

/** What {@link searchArguments} says, in the words of class-validator. */
class SearchDto implements SearchArguments {
  @IsString()
  @MinLength(1)
  @MaxLength(200)
  query!: string;

  @IsIn(['open', 'pending', 'closed'])
  status!: 'open' | 'pending' | 'closed';

  @IsInt()
  @Min(1)
  @Max(100)
  limit!: number;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(1000)
  @IsString({ each: true })
  tags?: string[];
}

/** The same as JSON Schema. */
const SEARCH_SCHEMA = searchArguments['~standard'].jsonSchema.input({ target: 'draft-2020-12' });

const ENHANCERS: Partial<Record<HandlerStyle, MethodDecorator[]>> = {
  guard: [UseGuards(AllowingGuard)],
  interceptor: [UseInterceptors(PassingInterceptor)],
  pipe: [UsePipes(PassingPipe)],
  pipeline: [UseGuards(AllowingGuard), UseInterceptors(PassingInterceptor), UsePipes(PassingPipe)],
};

/** Lets all arguments through: what is no matter of schemas has this one. */
const UNCHECKED = { type: 'object' } as const;

const SCHEMAS: Partial<Record<HandlerStyle, NonNullable<ToolOptions['inputSchema']>>> = {
  zod: searchArguments,
  dto: SearchDto,
  'json-schema': SEARCH_SCHEMA,
};

function declareTool(): Type {
  class StyledTools {}
  const [tool = { name: '', description: '' }] = buildToolDescriptions(1);
  declareMethod(StyledTools, tool.name, {
    handler: searchTickets,
    decorators: [...(ENHANCERS[style] ?? []), Tool({ ...tool, inputSchema: SCHEMAS[style] ?? UNCHECKED })],
  });
  Injectable({ scope: style === 'request-scoped' ? Scope.REQUEST : Scope.DEFAULT })(StyledTools);
  return StyledTools;
}

@Module({
  imports: [McpModule.forRoot({ serverInfo: SERVER_INFO })],
  providers: [declareTool(), AllowingGuard, PassingInterceptor, PassingPipe],
})
class HandlersModule {}

await serveNest(HandlersModule, { variant });
