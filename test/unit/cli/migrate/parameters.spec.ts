import { describe, expect, it } from '@jest/globals';
import { migrateSource } from './migrate-files.js';

describe('Parameters of handlers', () => {
  it('get decorators if the request is among them', async () => {
    const migrated = await migrateSource(`import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Tool, Context } from '@rekog/mcp-nest';

@Injectable()
export class Shop {
  @Tool({ name: 'a' })
  async a({ id }: { id: string }, context: Context, request: Request) {
    return request.headers['x-tenant'] + id;
  }

  @Tool({ name: 'b' })
  b(
    args, // whatever
    context: Context,
  ) {}
}
`);
    expect(migrated).toContain(`import { Injectable, Req } from '@nestjs/common';`);
    expect(migrated).toContain(`import { Tool, type McpContext, Arguments, Context } from 'nestjs-mcp';`);
    expect(migrated).toContain(
      `async a(@Arguments() { id }: { id: string }, @Context() context: McpContext, @Req() request: Request) {`,
    );
    expect(migrated).toContain(`    args, // whatever\n    context: McpContext,\n`);
  });

  it('lose the decorators of microservices', async () => {
    const migrated = await migrateSource(`import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController, McpRawRequest, Tool } from '@rekog/mcp-nest';

@McpController()
export class Shop {
  @Tool({ name: 'a' })
  a(@Payload(new Trim()) { id }: Input, @Ctx() ctx: McpContext, @McpRawRequest() request: unknown) {}

  @Tool({ name: 'b' })
  b(@Payload('id') id: string) {}
}
`);
    expect(migrated).not.toContain('microservices');
    expect(migrated).toContain(
      `a(@Arguments(new Trim()) { id }: Input, @Context() ctx: McpContext, @Req() request: unknown) {}`,
    );
    expect(migrated).toContain(`b(@Arguments('id') id: string) {}`);
    expect(migrated).toContain('@Controller()\nexport class Shop');
    expect(migrated).toMatch(/import \{ (?=.*Controller)(?=.*Req).*\} from '@nestjs\/common';/);
  });

  it('keep those of microservices that other methods use', async () => {
    const migrated = await migrateSource(`import { MessagePattern, Payload } from '@nestjs/microservices';
import { McpController, Tool } from '@rekog/mcp-nest';

@McpController()
export class Shop {
  @Tool({ name: 'a' })
  a(@Payload() input: Input) {}

  @MessagePattern('b')
  b(@Payload() input: Input) {}
}
`);
    expect(migrated).toContain(`import { MessagePattern, Payload } from '@nestjs/microservices';`);
    expect(migrated).toContain('  a(@Arguments() input: Input) {}');
    expect(migrated).toContain('  b(@Payload() input: Input) {}');
  });
});
