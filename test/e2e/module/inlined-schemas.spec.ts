import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { scope } from 'arktype';
import { Type } from 'class-transformer';
import { IsOptional, IsString, ValidateNested } from 'class-validator';
import { Tool } from 'nestjs-mcp';
import * as v from 'valibot';
import { z } from 'zod';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { entriesOf } from '../../support/clients/entries.js';
import { HANDSHAKE_VERSIONS, initialize } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';
import { callTool, listedTool } from '../../support/clients/tools.js';

class AddressDto {
  @IsString()
  street!: string;
}

class CustomerDto {
  @ValidateNested()
  @Type(() => AddressDto)
  home!: AddressDto;

  @ValidateNested({ each: true })
  @Type(() => AddressDto)
  others!: AddressDto[];
}

class FolderDto {
  @IsString()
  name!: string;

  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => FolderDto)
  folders?: FolderDto[];
}

class DriveDto {
  @ValidateNested()
  @Type(() => FolderDto)
  top!: FolderDto;
}

const ADDRESS = { type: 'object', properties: { street: { type: 'string' } }, required: ['street'] } as const;

const Address = z.object({ street: z.string() }).meta({ id: 'Address' });
const Customer = z.object({ home: Address, others: z.array(Address) });

const Folder = z
  .object({
    name: z.string(),
    get folders() {
      return z.array(Folder).optional();
    },
  })
  .meta({ id: 'Folder' });

interface ValibotFolder {
  name: string;
  folders?: ValibotFolder[] | undefined;
}
const LazyFolder: v.GenericSchema<ValibotFolder> = v.object({
  name: v.string(),
  folders: v.optional(v.array(v.lazy(() => LazyFolder))),
});

const ark = scope({
  address: { street: 'string' },
  customer: { home: 'address', others: 'address[]' },
  folder: { name: 'string', 'folders?': 'folder[]' },
  drive: { top: 'folder' },
}).export();

/** Each definition refers twice to the next: in their places they would be a thousand million. */
function buildDoubling(): JsonObject {
  const $defs = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => {
      const next = at === 29 ? { type: 'string' } : { $ref: `#/$defs/d${at + 1}` };
      return [`d${at}`, { type: 'object', properties: { left: next, right: next } }];
    }),
  );
  return { type: 'object', properties: { root: { $ref: '#/$defs/d0' } }, $defs };
}

const SHARED = {
  type: 'object',
  properties: {
    home: { $ref: '#/$defs/address', description: 'Where to ring' },
    others: { type: 'array', items: { $ref: '#/$defs/address' } },
  },
  required: ['home', 'others'],
  $defs: { address: ADDRESS },
} as const;

/** As libraries for draft 7 write it: a definition is wherever it stood first. */
const DRAFT_7 = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: { home: ADDRESS, others: { type: 'array', items: { $ref: '#/properties/home' } } },
  required: ['home', 'others'],
};

@Injectable()
class SchemaTools {
  @Tool({ inputSchema: CustomerDto, outputSchema: CustomerDto })
  dto(given: object): object {
    return given;
  }

  @Tool({ inputSchema: Customer, outputSchema: Customer })
  zod(given: object): object {
    return given;
  }

  @Tool({ inputSchema: ark.customer, outputSchema: ark.customer })
  arktype(given: object): object {
    return given;
  }

  @Tool({ inputSchema: SHARED, outputSchema: SHARED })
  json(given: object): object {
    return given;
  }

  @Tool({ inputSchema: DRAFT_7, outputSchema: DRAFT_7 })
  draft7(given: object): object {
    return given;
  }

  @Tool({ inputSchema: DriveDto })
  dtoTree(given: object): string {
    return JSON.stringify(given);
  }

  @Tool({ inputSchema: z.object({ top: Folder }) })
  zodTree(given: object): string {
    return JSON.stringify(given);
  }

  @Tool({ inputSchema: toStandardJsonSchema(v.object({ top: LazyFolder })) })
  valibotTree(given: object): string {
    return JSON.stringify(given);
  }

  @Tool({ inputSchema: ark.drive })
  arktypeTree(given: object): string {
    return JSON.stringify(given);
  }

  @Tool({ inputSchema: Folder, outputSchema: Folder })
  ownTree(given: object): object {
    return given;
  }

  @Tool({ inputSchema: buildDoubling() })
  doubling(given: object): string {
    return JSON.stringify(given);
  }
}

const FLAT = ['dto', 'zod', 'arktype', 'json', 'draft7'];
const TREES = ['dtoTree', 'zodTree', 'valibotTree', 'arktypeTree'];
const GIVEN = { home: { street: 'Main' }, others: [{ street: 'Side' }] };

describe.each(ADAPTERS)('listed schemas on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [SchemaTools] });
  });

  afterAll(() => desk.close());

  it.each(FLAT)('of %s have what they refer to in its place, in and out (CAT-02)', async (name) => {
    const { inputSchema, outputSchema } = await listedTool(desk.url, name);
    for (const schema of [inputSchema, outputSchema]) {
      expect(schema).toMatchObject({
        properties: { home: ADDRESS, others: { type: 'array', items: ADDRESS } },
      });
      expect(JSON.stringify(schema)).not.toMatch(/\$ref|\$defs/);
    }
  });

  it.each(FLAT)('of %s judge calls as ever (CAT-02, MOD-07)', async (name) => {
    expect(JSON.parse(await callTool(desk.url, name, GIVEN))).toEqual(GIVEN);
    expect(await callTool(desk.url, name, { ...GIVEN, others: [{}] })).toMatch(/^error: others\.0\.street: /);
  });

  it('keep what stands beside a reference (CAT-02)', async () => {
    const { inputSchema } = await listedTool(desk.url, 'json');
    expect(inputSchema).toMatchObject({ properties: { home: { ...ADDRESS, description: 'Where to ring' } } });
  });

  it.each(TREES)('of %s refer to what holds itself (CAT-02)', async (name) => {
    const { inputSchema } = await listedTool(desk.url, name);
    const { properties, $defs } = inputSchema as { properties: { top: JsonObject }; $defs: JsonObject };
    const text = JSON.stringify(inputSchema);
    const references = new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference));
    expect(references.size).toBeGreaterThan(0);
    for (const reference of references) {
      expect(Object.keys($defs).map((key) => `#/$defs/${key}`)).toContain(reference);
    }
    expect(JSON.stringify(properties.top)).toContain('$ref');
    const tree = { top: { name: 'a', folders: [{ name: 'b', folders: [{ name: 'c' }] }] } };
    expect(JSON.parse(await callTool(desk.url, name, tree))).toEqual(tree);
    expect(await callTool(desk.url, name, { top: { name: 'a', folders: [{ name: 1 }] } })).toMatch(
      /^error: top\.folders\.0\.name: /,
    );
  });

  it('have their members at the root where all of them holds itself (CAT-02)', async () => {
    const { inputSchema, outputSchema } = await listedTool(desk.url, 'ownTree');
    for (const schema of [inputSchema, outputSchema]) {
      expect(schema).toMatchObject({ type: 'object', properties: { name: { type: 'string' } } });
      expect(schema).not.toHaveProperty('$ref');
    }
  });

  it('stay as they are written where they would grow without end (CAT-02)', async () => {
    const { inputSchema } = await listedTool(desk.url, 'doubling');
    expect(inputSchema).toEqual(buildDoubling());
    expect(await callTool(desk.url, 'doubling', { root: { left: { left: 1 } } })).toMatch(
      /^error: root\.left\.left: /,
    );
  });

  it.each(HANDSHAKE_VERSIONS)(
    'of libraries do not say the dialect of every schema in %s (CAT-02)',
    async (version) => {
      const session = await initialize(desk.url, { version });
      const { result } = await session.request('tools/list');
      const tools = entriesOf(result, 'tools').filter(({ name }) => name !== 'draft7');
      for (const { inputSchema, outputSchema = {} } of tools) {
        expect(inputSchema).not.toHaveProperty('$schema');
        expect(outputSchema).not.toHaveProperty('$schema');
      }
      const draft7 = entriesOf(result, 'tools').find(({ name }) => name === 'draft7');
      expect(draft7?.['inputSchema']).toMatchObject({ $schema: DRAFT_7.$schema });
    },
  );
});
