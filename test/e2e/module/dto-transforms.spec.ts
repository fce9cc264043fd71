import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BadRequestException, Injectable } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { plainToInstance, Transform, Type } from 'class-transformer';
import {
  IsArray,
  IsIn,
  IsInt,
  IsNotIn,
  IsNumber,
  IsOptional,
  IsString,
  NotEquals,
  ValidateNested,
} from 'class-validator';
import { Tool } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { callTool, listedTool } from '../../support/clients/tools.js';

class RoleDto {
  @ApiProperty({ description: 'The number of the role' })
  @IsNumber()
  id!: number;
}

class FileDto {
  @IsString()
  path!: string;

  /** Stops the start where it is checked. */
  @ValidateNested()
  broken?: unknown;
}

class FilterDto {
  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => RoleDto)
  roles?: RoleDto[];
}

/** As an application has it whose filters come as JSON in the query of a route. */
class QueryDto {
  @ApiPropertyOptional({ type: String, description: 'A filter, as JSON' })
  @IsOptional()
  @Transform(({ value }: { value: string }) => plainToInstance(FilterDto, JSON.parse(value) as object))
  @ValidateNested()
  @Type(() => FilterDto)
  filters?: FilterDto;

  @ApiPropertyOptional({ type: 'string' })
  @IsOptional()
  @Transform(({ value }: { value: string }) => value.split(','))
  @IsArray()
  @IsString({ each: true })
  tags?: string[];

  @ApiPropertyOptional()
  @IsOptional()
  @Transform(({ value }: { value: string }) => value.trim())
  @IsIn(['free', 'paid'])
  plan?: string;

  @IsOptional()
  @Transform(({ value }: { value: number }) => {
    if (value > 100) throw new BadRequestException('at most 100, please');
    return value;
  })
  @IsInt()
  limit?: number;

  @IsOptional()
  @Transform(() => {
    throw new Error('secret of the database');
  })
  @IsString()
  secret?: string;

  @ApiPropertyOptional({ type: RoleDto })
  @IsOptional()
  @Type(() => RoleDto)
  role?: RoleDto | null;

  @ApiPropertyOptional({ type: () => [RoleDto] })
  @IsOptional()
  @IsArray()
  roles?: RoleDto[];

  @IsOptional()
  @Type(() => FileDto)
  file?: FileDto;

  @IsOptional()
  @ValidateNested()
  @Transform(({ value }: { value: string }) => plainToInstance(FilterDto, JSON.parse(value) as object))
  made?: FilterDto;
}

class StrictDto {
  @IsString()
  @NotEquals(null)
  @NotEquals(null)
  name!: string;

  @ApiProperty({ type: 'string' })
  @NotEquals(null)
  nick!: unknown;

  @IsString({ each: true })
  @NotEquals(null, { each: true })
  tags!: string[];

  @NotEquals(null)
  @ValidateNested()
  @Type(() => RoleDto)
  role!: RoleDto;

  @IsString()
  @IsNotIn([null, undefined, 'root'])
  user!: string;

  @NotEquals(null)
  anything!: unknown;
}

class OuterDto {
  @ValidateNested({ each: true })
  @Type(() => QueryDto)
  queries!: QueryDto[];
}

@Injectable()
class QueryTools {
  @Tool()
  query({ filters, role }: QueryDto) {
    return JSON.stringify([filters instanceof FilterDto, role ?? null]);
  }

  @Tool({ inputSchema: OuterDto })
  nested() {
    return 'nested';
  }

  @Tool()
  strict(_given: StrictDto) {
    return 'strict';
  }
}

const ROLE = {
  type: 'object',
  properties: { id: { type: 'number', description: 'The number of the role' } },
  required: ['id'],
  additionalProperties: false,
};

describe.each(ADAPTERS)('A DTO with transforms and types that are not checked, on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [QueryTools] });
  });

  afterAll(() => desk.close());

  const properties = async (name: string) => {
    const { inputSchema } = (await listedTool(desk.url, name)) as {
      inputSchema: { properties: Record<string, unknown> };
    };
    return inputSchema.properties;
  };

  it('is listed with what "@ApiProperty()" says of the input of a transform (APP-04)', async () => {
    expect(await properties('query')).toMatchObject({
      filters: { type: 'string', description: 'A filter, as JSON' },
      tags: { type: 'string' },
      plan: { type: 'string', enum: ['free', 'paid'] },
      limit: { type: 'integer' },
    });
    const filters = JSON.stringify({ roles: [{ id: 1 }] });
    expect(await callTool(desk.url, 'query', { filters, tags: 'a,b' })).toBe('[true,null]');
  });

  it('is listed with the shape of a class that "@Type()" or swagger names (APP-04)', async () => {
    const listed = await properties('query');
    expect(listed).toMatchObject({ role: ROLE, roles: { type: 'array', items: ROLE } });
    expect(listed).toMatchObject({ file: {}, made: {} });
    expect(listed['file']).toEqual({});
    // It is described, and not checked.
    expect(await callTool(desk.url, 'query', { role: { name: 'x' } })).toBe('[false,{"name":"x"}]');
  });

  it('has an error in a transform be one of the argument, by its name (APP-04)', async () => {
    expect(await callTool(desk.url, 'query', { filters: { roles: [] } })).toMatch(
      /^error: filters: cannot be converted: .*JSON.*, received object/,
    );
    expect(await callTool(desk.url, 'query', { made: '{' })).toMatch(/^error: made: cannot be converted: /);
    expect(await callTool(desk.url, 'query', { limit: 101 })).toBe(
      'error: limit: cannot be converted: at most 100, please, received number 101',
    );
    expect(await callTool(desk.url, 'query', { secret: 'x' })).toBe(
      'error: secret: cannot be converted, received string "x"',
    );
    expect(await callTool(desk.url, 'nested', { queries: [{ plan: ' free ' }, { plan: 7 }] })).toMatch(
      /^error: queries\.1\.plan: cannot be converted, received number 7/,
    );
    expect(await callTool(desk.url, 'query', { plan: ' free ' })).toBe('[false,null]');
  });

  it('is listed without what its types exclude already (APP-04)', async () => {
    expect(await properties('strict')).toEqual({
      name: { type: 'string' },
      nick: { type: 'string' },
      tags: { type: 'array', items: { type: 'string' } },
      role: ROLE,
      user: { type: 'string', not: { enum: ['root'] } },
      anything: { not: { const: null } },
    });
  });
});
