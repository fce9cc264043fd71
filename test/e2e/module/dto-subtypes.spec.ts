import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  ValidateNested,
} from 'class-validator';
import { Tool } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { callTool, listedTool } from '../../support/clients/tools.js';

class ShapeDto {
  @IsOptional()
  @IsString()
  label?: string;
}

const SHAPES = { property: 'kind', subTypes: [] as { name: string; value: typeof ShapeDto }[] };

class CircleDto extends ShapeDto {
  @IsNumber()
  radius!: number;
}

class SquareDto extends ShapeDto {
  @IsNumber()
  width!: number;
}

/** Holds others of its kind, itself included. */
class GroupDto extends ShapeDto {
  @ValidateNested({ each: true })
  @Type(() => ShapeDto, { discriminator: SHAPES })
  shapes!: ShapeDto[];
}

SHAPES.subTypes.push(
  { name: 'circle', value: CircleDto },
  { name: 'square', value: SquareDto },
  { name: 'group', value: GroupDto },
);

class DrawingDto {
  @ValidateNested()
  @Type(() => ShapeDto, { discriminator: SHAPES })
  main!: ShapeDto;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(3)
  @ValidateNested({ each: true })
  @Type(() => ShapeDto, { discriminator: SHAPES })
  others?: ShapeDto[];
}

class CatDto {
  @IsIn(['cat'])
  type!: string;

  @IsInt()
  lives!: number;
}

class DogDto {
  @IsString()
  breed!: string;
}

/** One subtype has the member that tells it apart, the other has not. */
class OwnerDto {
  @ValidateNested()
  @Type(() => Object, {
    keepDiscriminatorProperty: true,
    discriminator: {
      property: 'type',
      subTypes: [
        { name: 'cat', value: CatDto },
        { name: 'dog', value: DogDto },
      ],
    },
  })
  pet!: CatDto | DogDto;
}

class SearchDto {
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.split(',') : value))
  @IsString({ each: true })
  tags!: string[];

  @Transform(({ value }: { value: { at: number } }) => value.at)
  @IsInt()
  page!: number;
}

const classNames = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(classNames);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, classNames(member)]);
  return { class: value.constructor.name, ...Object.fromEntries(members) };
};

@Injectable()
class DrawingTools {
  result: unknown;

  @Tool({ inputSchema: DrawingDto })
  draw(drawing: DrawingDto): string {
    return JSON.stringify(classNames(drawing));
  }

  @Tool({ outputSchema: DrawingDto })
  give(): unknown {
    return this.result;
  }

  @Tool({ inputSchema: OwnerDto })
  own(owner: OwnerDto): string {
    return JSON.stringify(classNames(owner));
  }

  @Tool({ inputSchema: SearchDto })
  search(query: SearchDto): string {
    return JSON.stringify(query);
  }
}

const CIRCLE = {
  type: 'object',
  properties: { radius: { type: 'number' }, label: { type: 'string' }, kind: { const: 'circle' } },
  required: ['kind', 'radius'],
  additionalProperties: false,
};
const DISCRIMINATED = {
  type: 'object',
  properties: { kind: { enum: ['circle', 'square', 'group'] } },
  required: ['kind'],
  oneOf: [CIRCLE, { properties: { kind: { const: 'square' } } }, { $ref: '#/$defs/GroupDto' }],
};

describe.each(ADAPTERS)('subtypes of DTO classes on %s', (adapter) => {
  let desk: RunningApp;
  let tools: DrawingTools;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [DrawingTools] });
    tools = desk.app.get(DrawingTools);
  });

  afterAll(() => desk.close());

  it('are listed where they may stand, in members and in lists (CAT-02)', async () => {
    const { inputSchema } = await listedTool(desk.url, 'draw');
    expect(inputSchema).toMatchObject({
      properties: { main: DISCRIMINATED, others: { type: 'array', maxItems: 3, items: DISCRIMINATED } },
    });
    const { outputSchema } = await listedTool(desk.url, 'give');
    expect(outputSchema).toMatchObject({ properties: { main: DISCRIMINATED } });
  });

  it('become instances of their classes, at every depth (CAT-02)', async () => {
    const given = {
      main: { kind: 'group', shapes: [{ kind: 'circle', radius: 1 }] },
      others: [{ kind: 'square', width: 2, label: 'x' }],
    };
    expect(JSON.parse(await callTool(desk.url, 'draw', given))).toEqual({
      class: 'DrawingDto',
      main: { class: 'GroupDto', shapes: [{ class: 'CircleDto', radius: 1 }] },
      others: [{ class: 'SquareDto', width: 2, label: 'x' }],
    });
  });

  const ALL = 'one of "circle", "square", "group"';
  it.each<[string, object, string]>([
    [
      'an unknown one',
      { main: { kind: 'hexagon', sides: 6 } },
      `main.kind: expected ${ALL}, received string "hexagon"`,
    ],
    ['none', { main: { radius: 1 } }, `main.kind: is required but missing, expected ${ALL}`],
    ['no object', { main: 5 }, 'main: expected object, received number 5'],
    [
      'an unknown one in a list',
      { main: { kind: 'circle', radius: 1 }, others: [{ kind: 'x' }] },
      `others.0.kind: expected ${ALL}, received string "x"`,
    ],
    [
      'nothing in a list',
      { main: { kind: 'circle', radius: 1 }, others: [null] },
      'others.0: expected object, received null',
    ],
    [
      'an unknown one within a subtype',
      { main: { kind: 'group', shapes: [{ kind: 'circle', radius: 1 }, {}] } },
      `main.shapes.1.kind: is required but missing, expected ${ALL}`,
    ],
    [
      'a member of another subtype',
      { main: { kind: 'circle', radius: 1, width: 2 } },
      'main.width: is not a known name, expected one of "label", "radius", "kind"',
    ],
  ])('are named where there is %s (CAT-02)', async (_, given, line) => {
    expect(
      (await callTool(desk.url, 'draw', given)).replace(
        /known name, expected one of .*/,
        'known name, expected one of "label", "radius", "kind"',
      ),
    ).toBe(`error: ${line}`);
  });

  it('are told apart in results, be these instances or plain objects (CAT-02)', async () => {
    const told = { main: { kind: 'circle', radius: 1 }, others: [{ kind: 'square', width: 2 }] };
    const circle = Object.assign(new CircleDto(), { radius: 1 });
    const square = Object.assign(new SquareDto(), { width: 2 });
    for (const result of [told, { main: circle, others: [square] }]) {
      tools.result = result;
      expect(JSON.parse(await callTool(desk.url, 'give', {}))).toEqual(told);
    }
    expect(tools.result).toEqual({ main: circle, others: [square] });
    expect(told.main).toEqual({ kind: 'circle', radius: 1 });
  });

  it('may keep what tells them apart, whether they have a member for it or not (CAT-02)', async () => {
    expect(JSON.parse(await callTool(desk.url, 'own', { pet: { type: 'cat', lives: 9 } }))).toMatchObject({
      pet: { class: 'CatDto', type: 'cat', lives: 9 },
    });
    expect(JSON.parse(await callTool(desk.url, 'own', { pet: { type: 'dog', breed: 'pug' } }))).toMatchObject(
      {
        pet: { class: 'DogDto', type: 'dog', breed: 'pug' },
      },
    );
    expect(await callTool(desk.url, 'own', { pet: { type: 'cow' } })).toBe(
      'error: pet.type: expected one of "cat", "dog", received string "cow"',
    );
  });
});

describe('A property with a transform of its own', () => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ providers: [DrawingTools] });
  });

  afterAll(() => desk.close());

  it('is judged by what the transform gives (CAT-04)', async () => {
    expect(await callTool(desk.url, 'search', { tags: 'a,b', page: { at: 3 } })).toBe(
      '{"tags":["a","b"],"page":3}',
    );
    expect(await callTool(desk.url, 'search', { tags: ['a'], page: { at: 3 } })).toBe(
      '{"tags":["a"],"page":3}',
    );
    expect(await callTool(desk.url, 'search', { tags: [1], page: { at: 'x' } })).toMatch(
      /^error: tags: each value.*must be a string.*\npage: must be an integer/,
    );
  });
});
