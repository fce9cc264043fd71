import {
  Args,
  ArgsType,
  Field,
  GraphQLModule,
  GraphQLSchemaHost,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
} from '@nestjs/graphql';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IsString, MinLength } from 'class-validator';
import { printSchema } from 'graphql';
import { Tool } from 'nestjs-mcp';
import { z } from 'zod';
import { bootServer } from '../../../support/applications/server.js';
import type { RunningApp } from '../../../support/applications/boot.js';
import { callTool, listedTool } from '../../../support/clients/tools.js';

enum Color {
  Red = 'red',
  Blue = 'blue',
}
registerEnumType(Color, { name: 'Color' });

@InputType({ description: 'Where it hangs' })
class PlaceInput {
  @Field({ description: 'The town' })
  town!: string;

  @Field(() => [Int], { nullable: true })
  floors?: number[];
}

@InputType()
class CheckedInput {
  @Field({ description: 'What it is called' })
  @IsString()
  @MinLength(3)
  title!: string;
}

@ArgsType()
class PageArgs {
  @Field(() => Int, { defaultValue: 10, description: 'How many at most' })
  take!: number;

  @Field({ nullable: true })
  after?: string;
}

@ArgsType()
class CheckedArgs {
  @Field({ description: 'What to look for' })
  @IsString()
  text!: string;
}

@ObjectType()
class Lamp {
  @Field(() => ID)
  id!: string;
}

@Resolver()
class FirstResolver {
  @Query(() => [Lamp])
  earlier() {
    return [];
  }
}

@Resolver(() => Lamp)
class LampResolver {
  @Query(() => [Lamp], { description: 'Lists lamps, page by page' })
  @Tool()
  lamps(@Args() page: PageArgs) {
    return JSON.stringify(page);
  }

  @Query(() => [Lamp], { description: 'Finds lamps' })
  @Tool({ description: 'Finds lamps for a model' })
  search(@Args() { text }: CheckedArgs) {
    return text;
  }

  @Mutation(() => Lamp, { description: 'Hangs a lamp' })
  @Tool()
  hang(
    @Args('id', { type: () => ID, description: 'The id of the lamp' }) id: string,
    @Args('color', { type: () => Color, nullable: true }) color: Color | undefined,
    @Args('place') place: PlaceInput,
    @Args('checked', { type: () => [CheckedInput], nullable: true }) checked: CheckedInput[] | undefined,
  ) {
    return JSON.stringify([id, color ?? null, place, checked ?? null]);
  }

  @Mutation(() => Lamp)
  @Tool({ inputSchema: z.object({ id: z.string(), name: z.string().describe('Its name') }) })
  rename(
    @Args('id', { description: 'The id of the lamp' }) id: string,
    @Args('name', { description: 'Not this' }) name: string,
  ) {
    return `${id} ${name}`;
  }

  @Query(() => Lamp)
  @Tool()
  since(@Args('date') date: Date) {
    return String(date);
  }
}

describe('A resolver that is a tool', () => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({
      imports: [
        GraphQLModule.forRoot<ApolloDriverConfig>({
          driver: ApolloDriver,
          autoSchemaFile: true,
          playground: false,
        }),
      ],
      providers: [FirstResolver, LampResolver],
    });
  });

  afterAll(() => desk.close());

  it('is described as its query or mutation is, unless an option does it (NEST-08)', async () => {
    expect(await listedTool(desk.url, 'lamps')).toMatchObject({ description: 'Lists lamps, page by page' });
    expect(await listedTool(desk.url, 'hang')).toMatchObject({ description: 'Hangs a lamp' });
    expect(await listedTool(desk.url, 'search')).toMatchObject({ description: 'Finds lamps for a model' });
  });

  it('takes the arguments that it has in GraphQL (NEST-08)', async () => {
    expect((await listedTool(desk.url, 'hang'))['inputSchema']).toEqual({
      type: 'object',
      properties: {
        id: { type: 'string', description: 'The id of the lamp' },
        color: { type: 'string', enum: ['red', 'blue'] },
        place: {
          type: 'object',
          description: 'Where it hangs',
          properties: {
            town: { type: 'string', description: 'The town' },
            floors: { type: 'array', items: { type: 'integer' } },
          },
          required: ['town'],
          additionalProperties: false,
        },
        checked: {
          type: 'array',
          items: {
            type: 'object',
            properties: { title: { type: 'string', minLength: 3, description: 'What it is called' } },
            required: ['title'],
            additionalProperties: false,
          },
        },
      },
      required: ['id', 'place'],
      additionalProperties: false,
    });
    const place = { town: 'Ulm', floors: [2] };
    expect(await callTool(desk.url, 'hang', { id: '1', place })).toBe(
      JSON.stringify(['1', null, place, null]),
    );
    expect(await callTool(desk.url, 'hang', { id: '1', place: {} })).toMatch(/^error: place.town/);
    expect(await callTool(desk.url, 'hang', { id: '1', place, checked: [{ title: 'x' }] })).toMatch(
      /^error: checked/,
    );
  });

  it('takes the fields of a class of arguments, with what these say (NEST-08)', async () => {
    expect((await listedTool(desk.url, 'lamps'))['inputSchema']).toMatchObject({
      properties: {
        take: { type: 'integer', default: 10, description: 'How many at most' },
        after: { type: 'string' },
      },
    });
    expect((await listedTool(desk.url, 'search'))['inputSchema']).toMatchObject({
      properties: { text: { type: 'string', description: 'What to look for' } },
      required: ['text'],
    });
    expect(await callTool(desk.url, 'lamps', {})).toBe('{"take":10}');
  });

  it('adds descriptions of arguments to a schema that is given (NEST-08)', async () => {
    expect((await listedTool(desk.url, 'rename'))['inputSchema']).toMatchObject({
      properties: {
        id: { type: 'string', description: 'The id of the lamp' },
        name: { type: 'string', description: 'Its name' },
      },
    });
  });

  it('takes no arguments by types that a call would not convert (NEST-08)', async () => {
    expect((await listedTool(desk.url, 'since'))['inputSchema']).toEqual({
      type: 'object',
      properties: {},
      additionalProperties: false,
    });
  });

  it('leaves the order of queries in the schema of GraphQL as it is (NEST-08)', () => {
    const printed = printSchema(desk.app.get(GraphQLSchemaHost).schema);
    const names = ['earlier', 'lamps', 'search', 'since'].map((name) => printed.indexOf(name));
    expect(names).toEqual(names.toSorted((one, other) => one - other));
    expect(names).not.toContain(-1);
  });
});
