import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Injectable } from '@nestjs/common';
import {
  IntersectionType as PlainIntersection,
  OmitType as PlainOmit,
  PartialType as PlainPartial,
  PickType as PlainPick,
} from '@nestjs/mapped-types';
import {
  ApiExcludeController,
  ApiProperty,
  ApiPropertyOptional,
  ApiSchema,
  DocumentBuilder,
  IntersectionType,
  OmitType,
  PartialType,
  PickType,
  SwaggerModule,
} from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  IsArray,
  IsEmail,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { McpModule, Tool } from 'nestjs-mcp';
import { ADAPTERS, bootApp, type RunningApp } from '../../support/applications/boot.js';
import { CALLERS, PUBLISHED } from '../../support/applications/protected-desk.js';
import { bootServer } from '../../support/applications/server.js';
import type { JsonObject } from '../../support/clients/message.js';
import { callTool, listedTool } from '../../support/clients/tools.js';

enum Role {
  Admin = 'admin',
  Guest = 'guest',
}

@ApiSchema({ description: 'Where somebody lives' })
class AddressDto {
  @ApiProperty({ description: 'With the number', example: 'Main 1' })
  @IsString()
  street!: string;
}

class UserDto {
  @ApiProperty({ description: 'The name', example: 'Ann', minLength: 2, maxLength: 40, pattern: '^[A-Z]' })
  @IsString()
  name!: string;

  @ApiProperty({ minimum: 0, maximum: 150, description: 'In years', deprecated: true })
  @IsInt()
  @Min(18)
  age!: number;

  @ApiPropertyOptional({ enum: Role, enumName: 'Role', default: Role.Guest })
  @IsOptional()
  @IsString()
  role?: Role;

  @ApiProperty({ enum: Role, isArray: true })
  @IsArray()
  @IsString({ each: true })
  roles!: Role[];

  @ApiProperty({ format: 'email', examples: ['a@b.example'], title: 'Mail' })
  @IsEmail()
  email!: string;

  @ApiProperty({ type: 'number', exclusiveMinimum: true, minimum: 0, multipleOf: 0.5 })
  @IsOptional()
  score?: unknown;

  @ApiPropertyOptional({ description: 'Where to send it', type: () => AddressDto })
  @IsOptional()
  @ValidateNested()
  @Type(() => AddressDto)
  address?: AddressDto;

  @ApiProperty({ readOnly: true, default: () => 'made later', example: new Date(0) })
  @IsOptional()
  @Type(() => Date)
  since?: Date;
}

/** As the plugin of the Nest CLI leaves a class: what it has found stands in a method of this name. */
class PluginDto {
  @IsString()
  name!: string;

  @IsOptional()
  @IsNumber()
  @Max(5)
  level = 1;

  @ApiProperty({ description: 'Said by hand' })
  @IsOptional()
  role?: Role;

  static _OPENAPI_METADATA_FACTORY() {
    return {
      name: { required: true, type: () => String, description: 'From the comment', minLength: 1 },
      level: { required: true, type: () => Object, default: 1, maximum: 5, minimum: 0 },
      role: { required: false, enum: Role, description: 'From the plugin' },
    };
  }
}

class DerivedDto extends PluginDto {
  @IsString()
  extra!: string;
}

const CONTACT = ['name', 'email'] as const;

const SOURCES = {
  user: UserDto,
  plugin: PluginDto,
  derived: DerivedDto,
  partial: PartialType(UserDto),
  picked: PickType(UserDto, CONTACT),
  omitted: OmitType(UserDto, ['age', 'role', 'roles', 'score', 'address', 'since']),
  joined: IntersectionType(PickType(UserDto, ['name']), AddressDto),
  pluginPicked: PickType(PluginDto, ['name']),
  plainPartial: PlainPartial(UserDto),
  plainPicked: PlainPick(UserDto, CONTACT),
  plainOmitted: PlainOmit(UserDto, ['age', 'role', 'roles', 'score', 'address', 'since']),
  plainJoined: PlainIntersection(PlainPick(UserDto, ['name']), AddressDto),
};

@Injectable()
class UserTools {}

for (const [name, source] of Object.entries(SOURCES)) {
  Object.assign(UserTools.prototype, { [name]: (given: object) => given });
  const descriptor = Object.getOwnPropertyDescriptor(UserTools.prototype, name) ?? {};
  Tool({ inputSchema: source, outputSchema: source })(UserTools.prototype, name, descriptor);
}

@Controller('users')
class UsersController {
  @Get()
  list(): string {
    return '';
  }
}

function pathsOf({ app }: RunningApp): string[] {
  return Object.keys(SwaggerModule.createDocument(app, new DocumentBuilder().build()).paths);
}

describe.each(ADAPTERS)('an application with SwaggerModule on %s', (adapter) => {
  it('documents its own routes and none of the server (NEST-02)', async () => {
    const desk = await bootServer({
      adapter,
      options: { sse: true, auth: { bearer: [CALLERS.ada], ...PUBLISHED } },
      controllers: [UsersController],
      configure: (app) => void app.setGlobalPrefix('api', { exclude: ['users'] }),
    });
    try {
      expect(pathsOf(desk)).toEqual(['/users']);
    } finally {
      await desk.close();
    }
  });

  it('documents the endpoint where a decorator wants it to (NEST-02)', async () => {
    const server = McpModule.forRoot({
      serverInfo: { name: 'desk', version: '1.0.0' },
      decorators: [ApiExcludeController(false)],
    });
    const desk = await bootApp({ adapter, imports: [server] });
    try {
      expect(pathsOf(desk)).toContain('/mcp');
    } finally {
      await desk.close();
    }
  });
});

describe('What decorators of @nestjs/swagger say of a DTO', () => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ providers: [UserTools] });
  });

  afterAll(() => desk.close());

  const propertiesOf = async (name: string, member = 'inputSchema') =>
    ((await listedTool(desk.url, name))[member] as { properties: Record<string, JsonObject> }).properties;

  it('is listed beside what class-validator checks, which counts (CAT-02, NEST-02)', async () => {
    const address = {
      type: 'object',
      description: 'Where to send it',
      properties: { street: { type: 'string', description: 'With the number', examples: ['Main 1'] } },
      required: ['street'],
      additionalProperties: false,
    };
    expect(await propertiesOf('user')).toEqual({
      name: {
        type: 'string',
        description: 'The name',
        examples: ['Ann'],
        minLength: 2,
        maxLength: 40,
        pattern: '^[A-Z]',
      },
      age: { type: 'integer', description: 'In years', deprecated: true, minimum: 18, maximum: 150 },
      role: { type: 'string', enum: ['admin', 'guest'], default: 'guest' },
      roles: { type: 'array', items: { type: 'string', enum: ['admin', 'guest'] } },
      email: { type: 'string', format: 'email', examples: ['a@b.example'], title: 'Mail' },
      score: { type: 'number', exclusiveMinimum: 0, multipleOf: 0.5 },
      address,
      since: { type: 'string', format: 'date-time', readOnly: true, examples: ['1970-01-01T00:00:00.000Z'] },
    });
    const { role, ...others } = await propertiesOf('user', 'outputSchema');
    expect(role).toEqual({ type: 'string', enum: ['admin', 'guest'] });
    expect(others).toMatchObject({ name: { description: 'The name' }, address });
  });

  it('is what the plugin of the Nest CLI found where nobody said more (CAT-02, NEST-02)', async () => {
    const properties = {
      name: { type: 'string', description: 'From the comment', minLength: 1 },
      level: { type: 'number', minimum: 0, maximum: 5, default: 1 },
      role: { type: 'string', enum: ['admin', 'guest'], description: 'Said by hand' },
    };
    expect(await propertiesOf('plugin')).toEqual(properties);
    expect(await propertiesOf('derived')).toEqual({ ...properties, extra: { type: 'string' } });
    expect(await propertiesOf('pluginPicked')).toEqual({ name: properties.name });
  });

  it('stays with mapped types, which decide what is there (CAT-02, NEST-02)', async () => {
    const { name, email } = await propertiesOf('user');
    const { inputSchema } = await listedTool(desk.url, 'partial');
    expect(inputSchema).not.toHaveProperty('required');
    expect(await propertiesOf('partial')).toMatchObject({ name, email });
    expect(await propertiesOf('picked')).toEqual({ name, email });
    expect(await propertiesOf('omitted')).toEqual({ name, email });
    expect(await propertiesOf('joined')).toMatchObject({ name, street: { description: 'With the number' } });
  });

  it('is absent from the mapped types that do not know it, which are listed all the same (CAT-02)', async () => {
    const plain = { name: { type: 'string' }, email: { type: 'string', format: 'email' } };
    expect((await listedTool(desk.url, 'plainPartial'))['inputSchema']).not.toHaveProperty('required');
    expect(await propertiesOf('plainPicked')).toEqual(plain);
    expect(await propertiesOf('plainOmitted')).toEqual(plain);
    expect(await propertiesOf('plainJoined')).toEqual({ name: plain.name, street: { type: 'string' } });
  });

  it('checks nothing by itself (CAT-02, MOD-07)', async () => {
    const given = { name: 'x', email: 'a@b.example' };
    expect(JSON.parse(await callTool(desk.url, 'picked', given))).toEqual(given);
    expect(await callTool(desk.url, 'picked', { name: 'x' })).toMatch(/^error: email: /);
    expect(await callTool(desk.url, 'joined', { name: 'x' })).toMatch(/^error: street: /);
  });
});
